import type { Access, SnippetPart } from '../../../ui/snippet-part.js';
import { toServer, VERDICT_HEADERS, VERIFICATION_PATH } from './verification-request.ts';

export function nginxParts({ address, token }: Access): SnippetPart[] {
  const { isHttps, hostname, port } = toServer(address);
  const verdict = VERDICT_HEADERS.map((name) => toVariable(name));
  return [
    {
      title: 'In the http block or a file in /etc/nginx/conf.d',
      text: `upstream agent_traffic {
    server ${hostname}:${port};
    keepalive 32;
}

# The visitor's host as nginx reads it, with the port of the Host header.
map $http_host $agent_traffic_host {
    default $host;
    ~(?<agent_traffic_port>:\\d+)$ $host$agent_traffic_port;
}`,
    },
    {
      title: 'In each server block',
      text: `auth_request /_agent_traffic;
${[...verdict, '$agent_traffic_status', '$agent_traffic_message'].map((name) => `auth_request_set ${name} $upstream_http_${name.slice(1)};`).join('\n')}
auth_request_set $agent_traffic_location $upstream_http_location;
auth_request_set $agent_traffic_retry_after $upstream_http_retry_after;
auth_request_set $agent_traffic_link $upstream_http_link;
auth_request_set $agent_traffic_instance_status $upstream_status;
error_page 403 = @agent_traffic_denied;

location = /_agent_traffic {
    internal;
    # auth_request only understands the status 403. The status for the visitor is in a header.
    proxy_pass ${isHttps ? 'https' : 'http'}://agent_traffic${VERIFICATION_PATH}?status=403;
    proxy_set_header Authorization "Bearer ${token}";
    proxy_set_header X-Original-URI $request_uri;
    proxy_set_header X-Original-Method $request_method;
    proxy_set_header X-Forwarded-Uri "";
    proxy_set_header X-Forwarded-Method "";
    proxy_set_header X-Forwarded-Host $agent_traffic_host;
    proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
    proxy_set_header Cookie "";
    proxy_pass_request_body off;
    proxy_set_header Content-Length "";
    proxy_set_header Host ${hostname};
    proxy_http_version 1.1;
    proxy_set_header Connection "";${isHttps ? `\n    proxy_ssl_server_name on;\n    proxy_ssl_name ${hostname};` : ''}
    proxy_connect_timeout 200ms;
    proxy_read_timeout 2s;

    # Allows all requests while Agent Traffic is unavailable. Without this, they would get a 500 response.
    proxy_intercept_errors on;
    error_page 401 403 404 405 408 421 429 500 502 503 504 = @agent_traffic_result;
    # The instance can't parse the visitor's request.
    error_page 400 414 417 431 = @agent_traffic_unreadable;
}

location @agent_traffic_result {
    # Only responses with this header are for the visitor.
    if ($upstream_http_agent_traffic_result) { return 403; }
    return 204;
}

location @agent_traffic_unreadable {
    return 403;
}

location @agent_traffic_denied {
    default_type "text/plain; charset=utf-8";
    absolute_redirect off;
    add_header Agent-Traffic-Decision $agent_traffic_decision always;
    add_header Retry-After $agent_traffic_retry_after always;
    add_header Link $agent_traffic_link always;
    add_header Cache-Control no-store always;
    if ($agent_traffic_status = 429) { return 429 $agent_traffic_message; }
    if ($agent_traffic_status = 402) { return 402 $agent_traffic_message; }
    if ($agent_traffic_status = 301) { return 301 $agent_traffic_location; }
    if ($agent_traffic_status = 308) { return 308 $agent_traffic_location; }
    if ($agent_traffic_status = 403) { return 403 $agent_traffic_message; }
    if ($agent_traffic_instance_status ~ ^4(00|14|17)) { return 400; }
    if ($agent_traffic_instance_status = 431) { return 431 "The headers of this request are too large."; }
    return 403;
}`,
    },
    {
      title: 'In each location with proxy_pass, to pass the verdict to the site',
      text: VERDICT_HEADERS.map((name) => `proxy_set_header ${name} ${toVariable(name)};`).join('\n'),
    },
  ];
}

const toVariable = (header: string): string => `$${header.toLowerCase().replaceAll('-', '_')}`;
