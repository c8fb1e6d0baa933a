{{/* The environment of every process. Takes the chart's root. */}}
{{- define "outreach.env" -}}
{{- range $name, $value := .Values.settings }}
{{- if ne (toString $value) "" }}
- name: {{ $name }}
  value: {{ ternary (printf "%.0f" (float64 $value)) (toString $value) (kindIs "float64" $value) | quote }}
{{- end }}
{{- end }}
{{- range $name, $ref := .Values.secretSettings }}
- name: {{ $name }}_FILE
  value: /run/secrets/outreach/{{ $name }}
{{- end }}
{{- if .Values.extraCa }}
- name: EXTRA_CA_FILE
  value: /run/secrets/outreach/extra-ca.pem
{{- end }}
- name: METRICS_HOST
  value: {{ .Values.metrics.host | quote }}
{{- with .Values.temporal }}
- name: TEMPORAL_ADDRESS
  value: {{ .address | quote }}
- name: TEMPORAL_NAMESPACE
  value: {{ .namespace | quote }}
{{- if .apiKey }}
- name: TEMPORAL_API_KEY_FILE
  value: /run/secrets/outreach/TEMPORAL_API_KEY
{{- end }}
{{- if .clientCertificate }}
- name: TEMPORAL_TLS_CLIENT_CERT_PATH
  value: /run/secrets/outreach/temporal-client.crt
- name: TEMPORAL_TLS_CLIENT_KEY_PATH
  value: /run/secrets/outreach/temporal-client.key
{{- end }}
{{- if .serverCa }}
- name: TEMPORAL_TLS_SERVER_CA_CERT_PATH
  value: /run/secrets/outreach/temporal-ca.crt
{{- end }}
{{- if .serverName }}
- name: TEMPORAL_TLS_SERVER_NAME
  value: {{ .serverName | quote }}
{{- end }}
{{- if .tls }}
- name: TEMPORAL_TLS
  value: "1"
{{- end }}
{{- end }}
{{- end }}

{{/* One container under the restrictions of docker-compose.yml. Takes a dict: root, image, name, resources. */}}
{{- define "outreach.container" -}}
name: {{ .name }}
image: {{ .image | quote }}
imagePullPolicy: {{ .root.Values.imagePullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
resources: {{- toYaml .resources | nindent 2 }}
volumeMounts:
  - { name: tmp, mountPath: /tmp }
  - { name: secrets, mountPath: /run/secrets/outreach, readOnly: true }
{{- end }}

{{/* What every pod has beside its containers. Takes the chart's root. */}}
{{- define "outreach.pod" -}}
# No process asks the Kubernetes API for anything
automountServiceAccountToken: false
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  fsGroup: 1000
  seccompProfile: { type: RuntimeDefault }
{{- with .Values.imagePullSecrets }}
imagePullSecrets:
{{- range . }}
  - name: {{ . }}
{{- end }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.affinity }}
affinity: {{- toYaml . | nindent 2 }}
{{- end }}
volumes:
  - name: tmp
    emptyDir: {}
  - name: secrets
    projected:
      defaultMode: 0440
      sources:
{{- range $name, $ref := .Values.secretSettings }}
        - secret:
            name: {{ $ref.secret }}
            items: [{ key: {{ $ref.key }}, path: {{ $name }} }]
{{- end }}
{{- with .Values.extraCa }}
        - configMap:
            name: {{ .configMap }}
            items: [{ key: {{ .key }}, path: extra-ca.pem }]
{{- end }}
{{- with .Values.temporal.apiKey }}
        - secret:
            name: {{ .secret }}
            items: [{ key: {{ .key }}, path: TEMPORAL_API_KEY }]
{{- end }}
{{- with .Values.temporal.clientCertificate }}
        - secret:
            name: {{ .secret }}
            items:
              - { key: {{ .certificate }}, path: temporal-client.crt }
              - { key: {{ .privateKey }}, path: temporal-client.key }
{{- end }}
{{- with .Values.temporal.serverCa }}
        - secret:
            name: {{ .secret }}
            items: [{ key: {{ .key }}, path: temporal-ca.crt }]
{{- end }}
{{- end }}

{{/* Spreads the pods of one selector over the nodes. Takes a dict: root, labels. */}}
{{- define "outreach.spread" -}}
topologySpreadConstraints:
  - maxSkew: 1
    topologyKey: kubernetes.io/hostname
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels: {{- .labels | nindent 8 }}
{{- end }}

{{- define "outreach.podMetadata" -}}
labels:
  {{- .labels | nindent 2 }}
  {{- with .root.Values.podLabels }}{{ toYaml . | nindent 2 }}{{ end }}
{{- with .root.Values.podAnnotations }}
annotations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}
