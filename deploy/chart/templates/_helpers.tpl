{{- define "nc.name" -}}
{{- if contains .Chart.Name .Release.Name }}{{ .Release.Name | trunc 63 | trimSuffix "-" }}
{{- else }}{{ printf "%s-%s" .Release.Name .Chart.Name | trunc 63 | trimSuffix "-" }}
{{- end }}
{{- end }}

{{- define "nc.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "nc.metadata" -}}
name: {{ include "nc.name" . }}
labels:
  {{- include "nc.selector" . | nindent 2 }}
  app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
  app.kubernetes.io/managed-by: {{ .Release.Service }}
  helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end }}

{{- define "nc.replicas" -}}
{{ .Values.sqlite.enabled | ternary 1 .Values.replicas }}
{{- end }}

{{- define "nc.secret" -}}
{{ .Values.secret.existing | default (include "nc.name" .) }}
{{- end }}
