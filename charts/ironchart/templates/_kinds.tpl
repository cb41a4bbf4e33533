{{- /* The kinds that people work with: a test holds it to the definitions that there are. */}}
{{- define "ironchart.kinds" -}}
baremetalhost: { resource: baremetalhosts, hasStatus: true }
baremetalswitch: { resource: baremetalswitches, hasStatus: true }
bmceventsubscription: { resource: bmceventsubscriptions, hasStatus: true }
dataimage: { resource: dataimages, hasStatus: true }
firmwareschema: { resource: firmwareschemas, hasStatus: false }
hardwaredata: { resource: hardwaredata, hasStatus: false }
hostclaim: { resource: hostclaims, hasStatus: true }
hostdeploypolicy: { resource: hostdeploypolicies, hasStatus: true }
hostfirmwarecomponents: { resource: hostfirmwarecomponents, hasStatus: true }
hostfirmwaresettings: { resource: hostfirmwaresettings, hasStatus: true }
hostnetworkattachment: { resource: hostnetworkattachments, hasStatus: true }
hostupdatepolicy: { resource: hostupdatepolicies, hasStatus: false }
preprovisioningimage: { resource: preprovisioningimages, hasStatus: true }
{{- end -}}
