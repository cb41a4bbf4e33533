{{- /* What the webhooks want to be asked about: a test holds it to the rules that there are. */}}
{{- define "ironchart.guarded" -}}
baremetalhost: { resource: baremetalhosts, operations: [CREATE, UPDATE] }
bmceventsubscription: { resource: bmceventsubscriptions, operations: [CREATE, UPDATE] }
dataimage: { resource: dataimages, operations: [CREATE, UPDATE] }
hostclaim: { resource: hostclaims, operations: [CREATE, UPDATE] }
hostfirmwarecomponents: { resource: hostfirmwarecomponents, operations: [CREATE, UPDATE] }
hostnetworkattachment: { resource: hostnetworkattachments, operations: [CREATE, UPDATE, DELETE] }
{{- end -}}
