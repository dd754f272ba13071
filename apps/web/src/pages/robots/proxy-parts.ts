import type { Access, SnippetPart } from '../../ui/snippet-part.js';

const VERIFICATION_PATH = '/agent-verifications/forward';
/** Response headers that the proxy forwards to the site. */
const VERDICT_HEADERS = ['Agent-Traffic-Result', 'Agent-Traffic-Agent', 'Agent-Traffic-Type', 'Agent-Traffic-Operator'];

/** Configuration snippets by proxy. They check requests before they reach the site. */
export const PROXIES: Record<string, { label: string; parts: (access: Access) => SnippetPart[] }> = {
  nginx: { label: 'nginx', parts: nginxParts },
  caddy: { label: 'Caddy', parts: caddyParts },
  traefik: { label: 'Traefik', parts: traefikParts },
};

function nginxParts({ address, token }: Access): SnippetPart[] {
  const { protocol, hostname } = new URL(address);
  const variables = VERDICT_HEADERS.map((name) => `$${name.toLowerCase().replaceAll('-', '_')}`);
  return [
    {
      title: 'In the http block or a file in /etc/nginx/conf.d',
      text: `upstream agent_traffic {
    server ${hostAndPort(address)};
    keepalive 32;
}`,
    },
    {
      title: 'In each server block',
      text: `auth_request /_agent_traffic;
${variables.map((name) => `auth_request_set ${name} $upstream_http_${name.slice(1)};`).join('\n')}

location = /_agent_traffic {
    internal;
    proxy_pass ${protocol}//agent_traffic${VERIFICATION_PATH};
    proxy_set_header Authorization "Bearer ${token}";
    proxy_set_header X-Original-URI $request_uri;
    proxy_set_header X-Original-Method $request_method;
    proxy_set_header X-Forwarded-Uri "";
    proxy_set_header X-Forwarded-Method "";
    proxy_set_header X-Forwarded-Host $http_host;
    proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
    proxy_set_header Cookie "";
    proxy_pass_request_body off;
    proxy_set_header Content-Length "";
    proxy_set_header Host ${hostname};
    proxy_http_version 1.1;
    proxy_set_header Connection "";${protocol === 'https:' ? `\n    proxy_ssl_server_name on;\n    proxy_ssl_name ${hostname};` : ''}
    proxy_connect_timeout 200ms;
    proxy_read_timeout 2s;

    # Allows all requests while Agent Traffic is unavailable. Without this, they would get a 500 response.
    proxy_intercept_errors on;
    error_page 401 429 500 502 503 504 = @agent_traffic_away;
}

location @agent_traffic_away {
    return 204;
}`,
    },
    {
      title: 'In each location with proxy_pass, to pass the verdict to the site',
      text: VERDICT_HEADERS.map((name, index) => `proxy_set_header ${name} ${variables[index]};`).join('\n'),
    },
  ];
}

function caddyParts({ address, token }: Access): SnippetPart[] {
  const { origin } = new URL(address);
  return [
    {
      title: 'In each site block of the Caddyfile',
      text: `forward_auth ${origin} {
	uri ${VERIFICATION_PATH}?
	header_up Host {upstream_hostport}
	header_up Authorization "Bearer ${token}"
	header_up -X-Original-URI
	header_up -X-Original-Method
	header_up -Cookie
	copy_headers ${VERDICT_HEADERS.join(' ')}
	transport http {
		dial_timeout 200ms
		response_header_timeout 2s
	}

	# Allows all requests while Agent Traffic returns errors. Without this, visitors would get those errors.
	@away status 401 429 5xx
	handle_response @away {
		request_header -Agent-Traffic-*
	}
}`,
    },
  ];
}

function traefikParts({ address, token }: Access): SnippetPart[] {
  return [
    {
      title: 'In the static configuration',
      text: `entryPoints:
  agent-traffic:
    address: 127.0.0.1:8089
    forwardedHeaders:
      trustedIPs: [127.0.0.1/32]`,
    },
    {
      title: 'In the dynamic configuration',
      text: `http:
  middlewares:
    agent-traffic:
      forwardAuth:
        address: http://127.0.0.1:8089${VERIFICATION_PATH}
        authResponseHeaders:
${VERDICT_HEADERS.map((name) => `          - ${name}`).join('\n')}
    agent-traffic-token:
      headers:
        customRequestHeaders:
          Authorization: Bearer ${token}
          X-Original-URI: ''
          X-Original-Method: ''
          Cookie: ''
  routers:
    agent-traffic:
      entryPoints: [agent-traffic]
      rule: Path(\`${VERIFICATION_PATH}\`)
      middlewares: [agent-traffic-token]
      service: agent-traffic
  services:
    agent-traffic:
      loadBalancer:
        servers:
          - url: ${address}`,
    },
    { title: 'In each router', text: 'middlewares: [agent-traffic]' },
  ];
}

/** Returns the host and port, because an nginx upstream can't include a scheme. */
function hostAndPort(address: string): string {
  const { protocol, hostname, port } = new URL(address);
  return `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`;
}
