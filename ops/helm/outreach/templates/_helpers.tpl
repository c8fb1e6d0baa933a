{{- define "outreach.name" -}}
{{- if contains "outreach" .Release.Name }}{{ .Release.Name | trunc 24 | trimSuffix "-" }}{{ else }}{{ printf "%s-outreach" .Release.Name | trunc 24 | trimSuffix "-" }}{{ end }}
{{- end }}

{{/* Labels that never change: selectors use them. */}}
{{- define "outreach.selector" -}}
app.kubernetes.io/name: outreach
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "outreach.labels" -}}
{{ include "outreach.selector" . }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{/* A build id as part of the name of an object. */}}
{{- define "outreach.slug" -}}
{{ . | lower | replace "." "-" | replace "_" "-" }}
{{- end }}

{{/* The name of the Deployment of a group of workers. Takes a dict: root, group, id. */}}
{{- define "outreach.worker" -}}
{{ printf "%s-%s-%s" (include "outreach.name" .root) .group (include "outreach.slug" .id) | trunc 63 | trimSuffix "-" }}
{{- end }}

{{/* The image of the API: that of api.build, else of the newest build. */}}
{{- define "outreach.apiImage" -}}
{{- $image := (first .Values.builds).image }}
{{- range .Values.builds }}{{ if eq .id $.Values.api.build }}{{ $image = .image }}{{ end }}{{ end }}
{{- $image }}
{{- end }}

{{/* The start of each process; the flags of Node are those of `npm start`. */}}
{{- define "outreach.node" -}}
"node", "--no-warnings", "--max-semi-space-size=8", "--heap-growing-percent=50"
{{- end }}

{{/* Refuses values that the schema cannot check. */}}
{{- define "outreach.check" -}}
{{- $queues := list "engine" "smtp" "imap" "webhook" "feed" "jobs" }}
{{- $served := list }}
{{- range .Values.workers }}{{ $served = concat $served .queues }}{{ end }}
{{- range $queue := $queues }}
{{- $times := 0 }}
{{- range $served }}{{ if eq . $queue }}{{ $times = add $times 1 }}{{ end }}{{ end }}
{{- if ne (int $times) 1 }}{{ fail (printf "workers: the queue %s must be in exactly one group, but it is in %d" $queue (int $times)) }}{{ end }}
{{- end }}
{{- range $name, $group := .Values.workers }}
{{- if gt (int $group.min) (int $group.max) }}{{ fail (printf "workers.%s: min is above max" $name) }}{{ end }}
{{- if $.Values.autoscaling.enabled }}
{{- if and (has "imap" $group.queues) (ne (int $group.min) (int $group.max)) }}{{ fail (printf "workers.%s: min and max must be equal, because the number of workers that read mailboxes is fixed" $name) }}{{ end }}
{{- if not (or $group.backlog (has "imap" $group.queues)) }}{{ fail (printf "workers.%s: backlog is missing" $name) }}{{ end }}
{{- end }}
{{- end }}
{{- if gt (int .Values.api.min) (int .Values.api.max) }}{{ fail "api: min is above max" }}{{ end }}
{{- $ids := list }}
{{- range .Values.builds }}
{{- if has .id $ids }}{{ fail (printf "builds: the id %s is there twice" .id) }}{{ end }}
{{- $ids = append $ids .id }}
{{- end }}
{{- if and .Values.api.build (not (has .Values.api.build $ids)) }}{{ fail (printf "api.build: %s is not in builds" .Values.api.build) }}{{ end }}
{{- if and .Values.migrations.keyAddresses (not .Values.stopped) }}{{ fail "migrations.keyAddresses: all processes must have ended before. Set stopped to true first" }}{{ end }}
{{- range $name, $value := .Values.settings }}
{{- if hasKey $.Values.secretSettings $name }}{{ fail (printf "%s is both in settings and in secretSettings: remove one of them" $name) }}{{ end }}
{{- end }}
{{- with .Values.temporal }}
{{- if and .apiKey .clientCertificate }}{{ fail "temporal: set either apiKey or clientCertificate" }}{{ end }}
{{- if and $.Values.autoscaling.enabled (or .tls .serverCa .serverName) (not .apiKey) (not .clientCertificate) }}{{ fail "temporal: KEDA uses TLS only with an API key or a client certificate. Set one of them, or autoscaling.enabled to false" }}{{ end }}
{{- if and $.Values.autoscaling.enabled .apiKey .serverCa }}{{ fail "temporal: KEDA uses serverCa only with a client certificate, not with an API key. Remove it, or set autoscaling.enabled to false" }}{{ end }}
{{- end }}
{{- if and .Values.ingress.enabled (not .Values.ingress.hosts) }}{{ fail "ingress: hosts is empty" }}{{ end }}
{{- end }}
