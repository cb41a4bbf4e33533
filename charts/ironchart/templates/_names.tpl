{{- define "ironchart.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" -}}
{{- end -}}

{{- define "ironchart.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 63 | trimSuffix "-" -}}
{{- else -}}
{{- $name := include "ironchart.name" . -}}
{{- if contains $name .Release.Name -}}
{{- .Release.Name | trunc 63 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name $name | trunc 63 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- define "ironchart.selector" -}}
app.kubernetes.io/name: {{ include "ironchart.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "ironchart.labels" -}}
{{ include "ironchart.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end -}}

{{- define "ironchart.serviceAccountName" -}}
{{- if .Values.serviceAccount.create -}}
{{- default (include "ironchart.fullname" .) .Values.serviceAccount.name -}}
{{- else -}}
{{- required "serviceAccount.name: is empty; name an account that exists, or let serviceAccount.create make one" .Values.serviceAccount.name -}}
{{- end -}}
{{- end -}}

{{- /* The Service, and the Secret of its certificate where the chart or the operator makes that. */}}
{{- define "ironchart.webhookName" -}}
{{- include "ironchart.fullname" . | trunc 55 | trimSuffix "-" -}}-webhook
{{- end -}}

{{- define "ironchart.webhookConfiguration" -}}
{{- include "ironchart.fullname" . -}}-{{- .Release.Namespace -}}
{{- end -}}

{{- /* The Secret to mount; nothing where the operator holds the certificate itself. */}}
{{- define "ironchart.webhookMount" -}}
{{- if .Values.webhooks.enabled -}}
{{- if eq .Values.webhooks.certificate.source "certManager" -}}
{{- include "ironchart.webhookName" . -}}
{{- else if eq .Values.webhooks.certificate.source "secret" -}}
{{- .Values.webhooks.certificate.secretName -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- /* The Secret with the certificate of the metrics, to be mounted. */}}
{{- define "ironchart.metricsMount" -}}
{{- if and .Values.metrics.enabled .Values.metrics.secure -}}
{{- .Values.metrics.certificateSecretName -}}
{{- end -}}
{{- end -}}

{{- define "ironchart.validate" -}}
{{- if and .Values.metrics.certificateSecretName (not .Values.metrics.secure) -}}
{{- fail "metrics.certificateSecretName: is of no use over plain HTTP; set metrics.secure to true, or leave it empty" -}}
{{- end -}}
{{- if and .Values.webhooks.enabled (eq .Values.webhooks.certificate.source "secret") (not .Values.webhooks.certificate.secretName) -}}
{{- fail "webhooks.certificate.secretName: is empty; name the Secret, or choose another source" -}}
{{- end -}}
{{- if and (gt (int .Values.replicas) 1) (not .Values.leaderElection.enabled) -}}
{{- fail "replicas: more than one would work on the same hosts; enable leaderElection or set replicas to 1" -}}
{{- end -}}
{{- if and (eq .Values.rbac.scope "namespaced") (not .Values.watchNamespaces) -}}
{{- fail "rbac.scope: namespaced needs namespaces; list them in watchNamespaces, or set the scope to cluster" -}}
{{- end -}}
{{- if and .Values.userRoles.aggregate (not .Values.userRoles.create) -}}
{{- fail "userRoles.aggregate: there are no roles to add; set userRoles.create to true, or aggregate to false" -}}
{{- end -}}
{{- with .Values.switches -}}
{{- if and .enabled (not (and .configsSecretName .credentialsSecretName .credentialsPath)) -}}
{{- fail "switches: configsSecretName, credentialsSecretName or credentialsPath is empty; set all three, or set enabled to false" -}}
{{- end -}}
{{- if and .enabled (eq .configsSecretName .credentialsSecretName) -}}
{{- fail "switches: configsSecretName and credentialsSecretName name one Secret; name two" -}}
{{- end -}}
{{- end -}}
{{- if ne (empty .Values.ironic.deployKernelURL) (empty .Values.ironic.deployRamdiskURL) -}}
{{- fail "ironic.deployKernelURL and ironic.deployRamdiskURL: only one is set; set both or neither" -}}
{{- end -}}
{{- with .Values.leaderElection -}}
{{- if or (le (int .leaseDurationSeconds) (int .renewDeadlineSeconds)) (le (int .renewDeadlineSeconds) (int .retryPeriodSeconds)) -}}
{{- fail "leaderElection: the times do not fit together; leaseDurationSeconds must exceed renewDeadlineSeconds, and that retryPeriodSeconds" -}}
{{- end -}}
{{- end -}}
{{- end -}}
