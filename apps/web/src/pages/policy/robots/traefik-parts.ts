import type { Access, SnippetPart } from '../../../ui/snippet-part.js';
import { VERDICT_HEADERS, VERIFICATION_PATH } from './verification-request.ts';

export function traefikParts({ address, token }: Access): SnippetPart[] {
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
        preserveLocationHeader: true
        authResponseHeaders:
${VERDICT_HEADERS.map((name) => `          - ${name}`).join('\n')}
    # Allows all requests while Agent Traffic is unavailable. Without this, visitors would get the errors.
    agent-traffic-away:
      errors:
        status: ['401', 404-405, '408', '421', 500-599]
        statusRewrites:
          '401': 200
          404-405: 200
          '408': 200
          '421': 200
          500-599: 200
        service: noop@internal
        query: /
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
      middlewares: [agent-traffic-away, agent-traffic-token]
      service: agent-traffic
  services:
    agent-traffic:
      loadBalancer:
        serversTransport: agent-traffic
        servers:
          - url: ${address}
  serversTransports:
    agent-traffic:
      forwardingTimeouts:
        dialTimeout: 200ms
        responseHeaderTimeout: 2s`,
    },
    { title: 'In each router', text: 'middlewares: [agent-traffic]' },
  ];
}
