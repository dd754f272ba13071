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

{{/* What the values say about a service, or about the step `migrate`. */}}
{{- define "agent-traffic.own" -}}
{{ toYaml (ternary .root.Values.migrate (index .root.Values.services .name | default dict) (eq .name "migrate")) }}
{{- end }}

{{/* One table of several, of which the last that has a name counts: `merge` would pass over false, 0 and blanks. */}}
{{- define "agent-traffic.override" -}}
{{- $result := dict }}
{{- range . }}{{ range $name, $value := . }}{{ $_ := set $result $name $value }}{{ end }}{{ end }}
{{- toYaml $result }}
{{- end }}

{{/* A list of the values for all pods, followed by that of one service. */}}
{{- define "agent-traffic.list" -}}
{{- $own := include "agent-traffic.own" . | fromYaml }}
{{- with concat (index .root.Values .field | default list) (index $own .field | default list) }}{{ toYaml . }}{{ end }}
{{- end }}

{{/* A table of the values for all pods, in which those of one service win. */}}
{{- define "agent-traffic.map" -}}
{{- $own := include "agent-traffic.own" . | fromYaml }}
{{- with include "agent-traffic.override" (list (index .root.Values .field) (index $own .field)) | fromYaml }}{{ toYaml . }}{{ end }}
{{- end }}

{{/* The ServiceAccount of the services, or of the step `migrate`, which runs before the chart's other objects exist. */}}
{{- define "agent-traffic.serviceAccount" -}}
{{- $account := .root.Values.serviceAccount }}
{{- $name := $account.name | default (ternary (include "agent-traffic.fullname" .root) "" $account.create) }}
{{- $name }}{{ if and $account.create (eq .name "migrate") }}-migrate{{ end }}
{{- end }}

{{/* Changes with the secrets of a service, if Helm can read them in the cluster. The UID keeps short passwords from being guessed. */}}
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

{{/* The port of a service: its own setting, that of all, or that of the table. */}}
{{- define "agent-traffic.port" -}}
{{- $own := include "agent-traffic.own" . | fromYaml }}
{{- $table := include "agent-traffic.table" .root | fromYaml }}
{{- dig "settings" "PORT" (.root.Values.settings.PORT | default (index $table.services .name).port) $own | int }}
{{- end }}

{{/* Where a secret is: `key` of the chart's Secret, or `name/key` of another. */}}
{{- define "agent-traffic.secretKey" -}}
{{- $parts := .key | replace "{service}" .name | splitList "/" }}
name: {{ ternary .root.Values.secrets.existingSecret (first $parts) (eq (len $parts) 1) | quote }}
key: {{ last $parts | quote }}
{{- end }}

{{/* Fails for settings that no service reads. */}}
{{- define "agent-traffic.requireKnown" -}}
{{- $known := list }}
{{- range $group := .root.Files.Get "files/settings.yaml" | fromYamlArray }}{{ $known = concat $known $group.settings }}{{ end }}
{{- range $setting := keys .values | sortAlpha }}
{{- if not (has $setting $known) }}{{ fail (printf "No service reads the setting %s." $setting) }}{{ end }}
{{- end }}
{{- end }}

{{/* The secrets that a service reads, by setting: { name, key }. */}}
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

{{/* The environment of a service: the settings that it reads, and where the files of its secrets are. */}}
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
{{- if not (or (index $settings $setting) (index $.root.Values.secrets.keys $setting) $hasMore (has $setting $others) (has (printf "%s_FILE" $setting) $others)) }}{{ fail (printf "Set settings.%s." $setting) }}{{ end }}
{{- end }}
{{- range $group := .root.Files.Get "files/settings.yaml" | fromYamlArray }}
{{- if has $.name $group.services }}
{{- range $setting := $group.settings }}
{{- $value := index $settings $setting }}
{{- $isGiven := not (or (kindIs "invalid" $value) (eq (toString $value) "")) }}
{{- if hasKey $keys $setting }}
{{- if $isGiven }}{{ fail (printf "%s of %s is in settings and in the keys of secrets: use one." $setting $.name) }}{{ end }}
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

{{/* The secrets of a service, with further certificate authorities. */}}
{{- define "agent-traffic.allSecretKeys" -}}
{{- $keys := include "agent-traffic.secretKeys" . | fromYaml }}
{{- with .root.Values.secrets.certificateAuthorities }}
{{- $_ := set $keys "CERTIFICATE_AUTHORITIES" (include "agent-traffic.secretKey" (dict "root" $.root "name" $.name "key" .) | fromYaml) }}
{{- end }}
{{- toYaml $keys }}
{{- end }}

{{/* One volume with the secrets of a service, each of them a file with the name of its setting. */}}
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

{{/* What every pod has in common, that of the step, too: the "restricted" Pod Security Standard, and nothing of the API. */}}
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

{{/* How KEDA logs in to Kafka: as the service that it scales, by its Secret, or by the environment of its container. */}}
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
