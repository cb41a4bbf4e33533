{{/*
What the operator asks of the API server, and nothing else: a test holds these rules to the calls that it really makes.
Two are not called by it. Clusters that guard owner references want them of whoever sets one: `update` of the host's finalizers
for HardwareData, which its host owns, and `delete` of a Secret, which a host that uses it comes to own.
*/}}
{{- define "ironchart.hostRules" -}}
- apiGroups: [metal3.io]
  resources: [baremetalhosts]
  verbs: [get, list, watch, patch]
- apiGroups: [metal3.io]
  resources: [baremetalhosts/status]
  verbs: [patch]
- apiGroups: [metal3.io]
  resources: [baremetalhosts/finalizers]
  verbs: [update]
- apiGroups: [metal3.io]
  resources: [hardwaredata]
  verbs: [list, watch, create, patch, delete]
- apiGroups: ['']
  resources: [secrets]
  verbs: [get, list, watch, patch, delete]
- apiGroups: ['']
  resources: [events]
  verbs: [create]
{{- end -}}

{{- define "ironchart.leaseRules" -}}
- apiGroups: [coordination.k8s.io]
  resources: [leases]
  verbs: [create]
- apiGroups: [coordination.k8s.io]
  resources: [leases]
  resourceNames: [baremetal-operator]
  verbs: [get, patch]
{{- end -}}

{{- define "ironchart.ironicRules" -}}
- apiGroups: [ironic.metal3.io]
  resources: [ironics]
  verbs: [get]
- apiGroups: ['']
  resources: [secrets]
  verbs: [get]
{{- end -}}
