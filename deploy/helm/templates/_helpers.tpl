{{- define "agent-traffic.fullname" -}}
{{- if contains .Chart.Name .Release.Name }}{{ .Release.Name }}{{ else }}{{ .Release.Name }}-{{ .Chart.Name }}{{ end }}
{{- end }}

{{- define "agent-traffic.selector" -}}
app.kubernetes.io/name: agent-traffic
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .name }}
{{- end }}

{{- define "agent-traffic.labels" -}}
{{ include "agent-traffic.selector" . }}
app.kubernetes.io/part-of: agent-traffic
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ .root.Chart.Name }}-{{ .root.Chart.Version }}
{{- end }}

{{- define "agent-traffic.table" -}}
{{ .Files.Get "files/services.yaml" }}
{{- end }}

{{/* Values for a service or for the `migrate` job. */}}
{{- define "agent-traffic.own" -}}
{{ toYaml (ternary .root.Values.migrate (index .root.Values.services .name | default dict) (eq .name "migrate")) }}
{{- end }}

{{/* Merges maps. The last value for a key wins. Unlike `merge`, this includes false, 0, and empty values. */}}
{{- define "agent-traffic.override" -}}
{{- $result := dict }}
{{- range . }}{{ range $name, $value := . }}{{ $_ := set $result $name $value }}{{ end }}{{ end }}
{{- toYaml $result }}
{{- end }}

{{/* Concatenates a list for all pods and the same list for one service. */}}
{{- define "agent-traffic.list" -}}
{{- $own := include "agent-traffic.own" . | fromYaml }}
{{- with concat (index .root.Values .field | default list) (index $own .field | default list) }}{{ toYaml . }}{{ end }}
{{- end }}

{{/* Merges a map for all pods with the same map for one service, which takes precedence. */}}
{{- define "agent-traffic.map" -}}
{{- $own := include "agent-traffic.own" . | fromYaml }}
{{- with include "agent-traffic.override" (list (index .root.Values .field) (index $own .field)) | fromYaml }}{{ toYaml . }}{{ end }}
{{- end }}

{{/* ServiceAccount name. `migrate` has a separate account, because it runs before Helm creates the chart's other objects. */}}
{{- define "agent-traffic.serviceAccount" -}}
{{- $account := .root.Values.serviceAccount }}
{{- $name := $account.name | default (ternary (include "agent-traffic.fullname" .root) "" $account.create) }}
{{- $name }}{{ if and $account.create (eq .name "migrate") }}-migrate{{ end }}
{{- end }}

{{/* Hash of a service's secrets. Empty if Helm can't read them. Secret UIDs act as a salt that protects short passwords. */}}
{{- define "agent-traffic.secretsChecksum" -}}
{{- $found := list }}
{{- range $setting, $ref := include "agent-traffic.allSecretKeys" . | fromYaml }}
{{- with lookup "v1" "Secret" $.root.Release.Namespace $ref.name }}
{{- $found = append $found (printf "%s %s %s" $setting .metadata.uid (index .data $ref.key | default "")) }}
{{- end }}
{{- end }}
{{- if $found }}{{ join "\n" $found | sha256sum }}{{ end }}
{{- end }}

{{- define "agent-traffic.annotations" -}}
{{- $annotations := include "agent-traffic.map" (merge (dict "field" "podAnnotations") .) | fromYaml }}
{{- with include "agent-traffic.secretsChecksum" . }}
{{- $_ := set $annotations "checksum/secrets" . }}
{{- end }}
{{- if $annotations }}{{ toYaml $annotations }}{{ end }}
{{- end }}

{{/* A service's port: its own PORT setting, the PORT for all services, or the default in the table. */}}
{{- define "agent-traffic.port" -}}
{{- $own := include "agent-traffic.own" . | fromYaml }}
{{- $table := include "agent-traffic.table" .root | fromYaml }}
{{- dig "settings" "PORT" (.root.Values.settings.PORT | default (index $table.services .name).port) $own | int }}
{{- end }}

{{/* Resolves `key` in the default Secret, or `name/key` in another one. */}}
{{- define "agent-traffic.secretKey" -}}
{{- $parts := .key | replace "{service}" .name | splitList "/" }}
name: {{ ternary .root.Values.secrets.existingSecret (first $parts) (eq (len $parts) 1) | quote }}
key: {{ last $parts | quote }}
{{- end }}

{{/* Fails if `values` contains a setting that no service reads. */}}
{{- define "agent-traffic.requireKnown" -}}
{{- $known := list }}
{{- range $group := .root.Files.Get "files/settings.yaml" | fromYamlArray }}{{ $known = concat $known $group.settings }}{{ end }}
{{- range $setting := keys .values | sortAlpha }}
{{- if not (has $setting $known) }}{{ fail (printf "Unknown setting %s: no service reads it." $setting) }}{{ end }}
{{- end }}
{{- end }}

{{/* Maps a service's secret settings to their locations: { name, key }. */}}
{{- define "agent-traffic.secretKeys" -}}
{{- $own := include "agent-traffic.own" . | fromYaml }}
{{- $keys := include "agent-traffic.override" (list .root.Values.secrets.keys $own.secretKeys) | fromYaml }}
{{- include "agent-traffic.requireKnown" (dict "root" .root "values" $keys) }}
{{- range $group := .root.Files.Get "files/settings.yaml" | fromYamlArray }}
{{- if has $.name $group.services }}
{{- range $setting := $group.settings }}
{{- with index $keys $setting }}
{{ $setting }}: {{ include "agent-traffic.secretKey" (dict "root" $.root "name" $.name "key" .) | nindent 2 }}
{{- end }}
{{- end }}
{{- end }}
{{- end }}
{{- end }}

{{/* Environment variables for a service: its settings, and the paths of its secret files. */}}
{{- define "agent-traffic.env" -}}
{{- $fullname := include "agent-traffic.fullname" .root }}
{{- $own := include "agent-traffic.own" . | fromYaml }}
{{- $defaults := dict "HOST" "0.0.0.0" }}
{{- if ne .name "migrate" }}
{{- $_ := set $defaults "PORT" (include "agent-traffic.port" .) }}
{{- end }}
{{- range $other, $setting := dict "catalog" "CATALOG_URL" "rules" "RULES_URL" }}
{{- $_ := set $defaults $setting (printf "http://%s-%s:%s" $fullname $other (include "agent-traffic.port" (dict "root" $.root "name" $other))) }}
{{- end }}
{{- $settings := include "agent-traffic.override" (list $defaults .root.Values.settings $own.settings) | fromYaml }}
{{- include "agent-traffic.requireKnown" (dict "root" .root "values" $settings) }}
{{- $keys := include "agent-traffic.secretKeys" . | fromYaml }}
{{- $others := list }}
{{- range include "agent-traffic.list" (merge (dict "field" "env") .) | fromYamlArray }}{{ $others = append $others .name }}{{ end }}
{{- $hasMore := include "agent-traffic.list" (merge (dict "field" "envFrom") .) }}
{{- range $setting := list "DATABASE_URL" "KAFKA_BROKERS" "REDIS_URL" }}
{{- if not (or (index $settings $setting) (index $.root.Values.secrets.keys $setting) $hasMore (has $setting $others) (has (printf "%s_FILE" $setting) $others)) }}{{ fail (printf "settings.%s is required." $setting) }}{{ end }}
{{- end }}
{{- range $group := .root.Files.Get "files/settings.yaml" | fromYamlArray }}
{{- if has $.name $group.services }}
{{- range $setting := $group.settings }}
{{- $value := index $settings $setting }}
{{- $isGiven := not (or (kindIs "invalid" $value) (eq (toString $value) "")) }}
{{- if hasKey $keys $setting }}
{{- if $isGiven }}{{ fail (printf "%s for %s is set in both settings and secrets.keys. Remove one of them." $setting $.name) }}{{ end }}
{{- if eq (toString $group.fromSecret) "value" }}
- name: {{ $setting }}
  valueFrom:
    secretKeyRef: {{ index $keys $setting | toYaml | nindent 6 }}
{{- else }}
- name: {{ $setting }}{{ if not $group.fromSecret }}_FILE{{ end }}
  value: /run/secrets/{{ $setting | lower | replace "_" "-" }}
{{- end }}
{{- else if $isGiven }}
- name: {{ $setting }}
  value: {{ ternary (printf "%.0f" (float64 $value)) (toString $value) (kindIs "float64" $value) | replace "{service}" $.name | quote }}
{{- end }}
{{- end }}
{{- end }}
{{- end }}
{{- if .root.Values.secrets.certificateAuthorities }}
- name: NODE_EXTRA_CA_CERTS
  value: /run/secrets/certificate-authorities
{{- end }}
{{- end }}

{{/* Like secretKeys, with the additional certificate authorities. */}}
{{- define "agent-traffic.allSecretKeys" -}}
{{- $keys := include "agent-traffic.secretKeys" . | fromYaml }}
{{- with .root.Values.secrets.certificateAuthorities }}
{{- $_ := set $keys "CERTIFICATE_AUTHORITIES" (include "agent-traffic.secretKey" (dict "root" $.root "name" $.name "key" .) | fromYaml) }}
{{- end }}
{{- toYaml $keys }}
{{- end }}

{{/* Volume with a service's secrets. Each file is named after its setting. */}}
{{- define "agent-traffic.secretsVolume" -}}
{{- $keys := include "agent-traffic.allSecretKeys" . | fromYaml }}
- name: secrets
  projected:
    defaultMode: 0440
    sources:
      {{- range $setting, $ref := $keys }}
      - secret:
          name: {{ $ref.name }}
          items:
            - key: {{ $ref.key | quote }}
              path: {{ $setting | lower | replace "_" "-" }}
      {{- end }}
{{- end }}

{{- define "agent-traffic.image" -}}
{{- with .Values.image }}
{{- .repository }}{{ if .digest }}@{{ .digest }}{{ else }}:{{ .tag | default $.Chart.AppVersion }}{{ end }}
{{- end }}
{{- end }}

{{/* Pod spec shared by all services and `migrate`. Meets the "restricted" Pod Security Standard, and mounts no API token. */}}
{{- define "agent-traffic.pod" -}}
automountServiceAccountToken: false
enableServiceLinks: false
{{- with include "agent-traffic.serviceAccount" . }}
serviceAccountName: {{ . }}
{{- end }}
{{- with .root.Values.image.pullSecrets }}
imagePullSecrets: {{ toYaml . | nindent 2 }}
{{- end }}
{{- $own := include "agent-traffic.own" . | fromYaml }}
{{- range $field := list "priorityClassName" "nodeSelector" "tolerations" "affinity" }}
{{- with ternary (index $own $field) (index $.root.Values $field) (hasKey $own $field) }}
{{ toYaml (dict $field .) }}
{{- end }}
{{- end }}
securityContext:
  runAsNonRoot: true
  seccompProfile:
    type: RuntimeDefault
  {{- with .root.Values.podSecurityContext }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- with $own.extraInitContainers }}
initContainers: {{ toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- define "agent-traffic.container" -}}
{{- $own := include "agent-traffic.own" . | fromYaml }}
image: {{ include "agent-traffic.image" .root }}
imagePullPolicy: {{ .root.Values.image.pullPolicy }}
env:
  {{- include "agent-traffic.env" . | nindent 2 }}
  {{- with include "agent-traffic.list" (merge (dict "field" "env") .) }}{{ . | nindent 2 }}{{ end }}
{{- with include "agent-traffic.list" (merge (dict "field" "envFrom") .) }}
envFrom: {{ . | nindent 2 }}
{{- end }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities:
    drop: [ALL]
resources: {{ toYaml $own.resources | nindent 2 }}
volumeMounts:
  - name: secrets
    mountPath: /run/secrets
    readOnly: true
  - name: tmp
    mountPath: /tmp
  {{- with $own.extraVolumeMounts }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end }}

{{- define "agent-traffic.volumes" -}}
{{- $own := include "agent-traffic.own" . | fromYaml }}
{{ include "agent-traffic.secretsVolume" . }}
- name: tmp
  emptyDir:
    medium: Memory
    sizeLimit: 64Mi
{{- with $own.extraVolumes }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{/* KEDA's Kafka credentials: those of the service that it scales, from its Secret or its container's environment. */}}
{{- define "agent-traffic.kedaLogin" -}}
{{- $own := include "agent-traffic.own" . | fromYaml }}
{{- $settings := include "agent-traffic.override" (list .root.Values.settings $own.settings) | fromYaml }}
{{- $keys := include "agent-traffic.secretKeys" . | fromYaml }}
{{- $isOauth := eq (toString $settings.KAFKA_SASL_MECHANISM) "oauthbearer" }}
{{- $parameters := dict
  "ca" "KAFKA_TLS_CA"
  "cert" "KAFKA_TLS_CERT"
  "key" "KAFKA_TLS_KEY"
  "username" (ternary "KAFKA_OAUTH_CLIENT_ID" "KAFKA_SASL_USERNAME" $isOauth)
  "password" (ternary "KAFKA_OAUTH_CLIENT_SECRET" "KAFKA_SASL_PASSWORD" $isOauth)
  "oauthTokenEndpointUri" "KAFKA_OAUTH_TOKEN_URL"
  "scopes" "KAFKA_OAUTH_SCOPE" }}
{{- $spec := dict }}
{{- range $parameter, $setting := $parameters }}
{{- with index $keys $setting }}
{{- $_ := set $spec "secretTargetRef" (append ($spec.secretTargetRef | default list) (dict "parameter" $parameter "name" .name "key" .key)) }}
{{- else }}
{{- if index $settings $setting }}
{{- $_ := set $spec "env" (append ($spec.env | default list) (dict "parameter" $parameter "name" $setting "containerName" $.name)) }}
{{- end }}
{{- end }}
{{- end }}
{{- if $spec }}{{ toYaml $spec }}{{ end }}
{{- end }}
