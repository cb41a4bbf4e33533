{{/*
What the operator asks of the API server, and nothing else: a test holds these rules to the calls that it really makes.
Some are not called by it. Clusters that guard owner references want them of whoever sets one: `update` of the host's finalizers
for what its host is in charge of, and `delete` of what a host that uses it comes to own: Secrets, firmware objects, policies,
data images.
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
- apiGroups: [metal3.io]
  resources: [hostfirmwaresettings, hostfirmwarecomponents]
  verbs: [get, list, watch, create, patch, delete]
- apiGroups: [metal3.io]
  resources: [firmwareschemas]
  verbs: [list, watch, create, delete]
- apiGroups: [metal3.io]
  resources: [hostupdatepolicies]
  verbs: [list, watch, patch, delete]
- apiGroups: [metal3.io]
  resources: [dataimages]
  verbs: [get, list, watch, patch, delete]
- apiGroups: [metal3.io]
  resources: [bmceventsubscriptions]
  verbs: [get, list, watch, patch]
- apiGroups: [metal3.io]
  resources: [preprovisioningimages]
  verbs: [get, list, watch, create, patch]
- apiGroups: [metal3.io]
  resources:
    - hostfirmwaresettings/status
    - hostfirmwarecomponents/status
    - dataimages/status
    - bmceventsubscriptions/status
    - preprovisioningimages/status
  verbs: [patch]
- apiGroups: ['']
  resources: [secrets]
  verbs: [get, list, watch, patch, delete]
- apiGroups: ['']
  resources: [events]
  verbs: [create]
{{- end -}}

{{- /* For switches, besides the rules about Secrets and events above. */}}
{{- define "ironchart.switchRules" -}}
- apiGroups: [metal3.io]
  resources: [baremetalswitches]
  verbs: [get, list, watch]
- apiGroups: [metal3.io]
  resources: [baremetalswitches/status]
  verbs: [patch]
{{- end -}}

{{- /* For HostClaims. A namespace is read by name; a Role in it grants just that. */}}
{{- define "ironchart.claimRules" -}}
- apiGroups: [metal3.io]
  resources: [hostclaims]
  verbs: [get, list, watch, patch]
- apiGroups: [metal3.io]
  resources: [hostclaims/status]
  verbs: [patch]
- apiGroups: [metal3.io]
  resources: [hostdeploypolicies]
  verbs: [list, watch]
- apiGroups: ['']
  resources: [namespaces]
  verbs: [get]
{{- end -}}

{{- /* Where all namespaces are watched, so are their labels. */}}
{{- define "ironchart.claimNamespaceRules" -}}
- apiGroups: ['']
  resources: [namespaces]
  verbs: [list, watch]
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

{{- /* To ask who shows a token to the metrics, and whether they may see them. */}}
{{- define "ironchart.metricsRules" -}}
- apiGroups: [authentication.k8s.io]
  resources: [tokenreviews]
  verbs: [create]
- apiGroups: [authorization.k8s.io]
  resources: [subjectaccessreviews]
  verbs: [create]
{{- end -}}

{{- define "ironchart.ironicRules" -}}
- apiGroups: [ironic.metal3.io]
  resources: [ironics]
  verbs: [get]
- apiGroups: ['']
  resources: [secrets]
  verbs: [get]
{{- end -}}

{{- /* For a certificate of the operator's own: its Secret, which the chart creates, and the configuration that trusts it. */}}
{{- define "ironchart.webhookSecretRules" -}}
- apiGroups: ['']
  resources: [secrets]
  resourceNames: ['{{ include "ironchart.webhookName" . }}']
  verbs: [get, patch]
{{- end -}}

{{- define "ironchart.webhookConfigurationRules" -}}
- apiGroups: [admissionregistration.k8s.io]
  resources: [validatingwebhookconfigurations]
  resourceNames: ['{{ include "ironchart.webhookConfiguration" . }}']
  verbs: [get, patch]
{{- end -}}
