import type { Access, SnippetPart } from '../../../ui/snippet-part.js';
import { toServer, VERDICT_HEADERS, VERIFICATION_PATH } from './verification-request.ts';

/** Headers of the response to the visitor. */
const RESPONSE_HEADERS = ['agent-traffic-decision', 'cache-control', 'content-type', 'link', 'location', 'retry-after'];

const TLS = (hostname: string): string => `
  transport_socket:
    name: envoy.transport_sockets.tls
    typed_config:
      '@type': type.googleapis.com/envoy.extensions.transport_sockets.tls.v3.UpstreamTlsContext
      sni: ${hostname}
      auto_sni_san_validation: true
      common_tls_context:
        validation_context:
          trusted_ca: { filename: /etc/ssl/certs/ca-certificates.crt }`;

export function envoyParts({ address, token }: Access): SnippetPart[] {
  const { isHttps, hostname, port } = toServer(address);
  return [
    {
      title: 'In http_filters, before the router',
      text: `# Removes headers that the visitor has forged.
- name: envoy.filters.http.header_mutation
  typed_config:
    '@type': type.googleapis.com/envoy.extensions.filters.http.header_mutation.v3.HeaderMutation
    mutations:
      request_mutations:
${VERDICT_HEADERS.map((name) => `        - remove: ${name}`).join('\n')}
- name: envoy.filters.http.ext_authz
  typed_config:
    '@type': type.googleapis.com/envoy.extensions.filters.http.ext_authz.v3.ExtAuthz
    # Allows all requests while Agent Traffic is unavailable.
    failure_mode_allow: true
    allowed_headers:
      patterns: [{ safe_regex: { regex: .* } }]
    disallowed_headers:
      patterns: [{ exact: cookie }, { exact: authorization }]
    http_service:
      server_uri: { uri: '${address}', cluster: agent_traffic, timeout: 2s }
      authorization_response:
        allowed_upstream_headers:
          patterns: [{ prefix: agent-traffic- }]
        allowed_client_headers:
          patterns:
${RESPONSE_HEADERS.map((name) => `            - exact: ${name}`).join('\n')}`,
    },
    {
      title: 'In clusters',
      text: `- name: agent_traffic
  type: STRICT_DNS
  connect_timeout: 0.2s
  load_assignment:
    cluster_name: agent_traffic
    endpoints:
      - lb_endpoints:
          - endpoint: { address: { socket_address: { address: ${hostname}, port_value: ${port} } } }${isHttps ? TLS(hostname) : ''}
  typed_extension_protocol_options:
    envoy.extensions.upstreams.http.v3.HttpProtocolOptions:
      '@type': type.googleapis.com/envoy.extensions.upstreams.http.v3.HttpProtocolOptions
      explicit_http_config: { http_protocol_options: {} }
      http_filters:
        - name: envoy.filters.http.lua
          typed_config:
            '@type': type.googleapis.com/envoy.extensions.filters.http.lua.v3.Lua
            default_source_code:
              inline_string: |
                function envoy_on_request(handle)
                  local headers = handle:headers()
                  headers:replace("x-original-uri", headers:get(":path"))
                  headers:replace("x-original-method", headers:get(":method"))
                  headers:replace("x-forwarded-host", headers:get(":authority"))
                  headers:remove("x-forwarded-uri")
                  headers:remove("x-forwarded-method")
                  headers:replace(":path", "${VERIFICATION_PATH}")
                  headers:replace(":method", "GET")
                  headers:replace(":authority", "${hostname}")
                  headers:replace("authorization", "Bearer ${token}")
                end
                -- Errors in the visitor's request, such as too many headers.
                local FOR_VISITOR = { ["400"] = true, ["414"] = true, ["417"] = true, ["431"] = true }
                function envoy_on_response(handle)
                  local headers = handle:headers()
                  local status = headers:get(":status")
                  if headers:get("agent-traffic-result") == nil then
                    if not FOR_VISITOR[status] then headers:replace(":status", "503") end
                  elseif status == "204" then
                    headers:replace(":status", "200")
                  end
                end
        - name: envoy.filters.http.upstream_codec
          typed_config:
            '@type': type.googleapis.com/envoy.extensions.filters.http.upstream_codec.v3.UpstreamCodec`,
    },
  ];
}
