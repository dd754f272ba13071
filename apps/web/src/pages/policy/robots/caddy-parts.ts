import type { Access, SnippetPart } from '../../../ui/snippet-part.js';
import { VERDICT_HEADERS, VERIFICATION_PATH } from './verification-request.ts';

const FALLBACK = 'http://127.0.0.1:3999';

/**
 * Caddy can't catch connection failures in `forward_auth`. Therefore, a local address returns an error instead. All
 * upstreams must use the same scheme, so it also forwards requests to an instance with TLS.
 */
export function caddyParts({ address, token }: Access): SnippetPart[] {
  const { origin, protocol } = new URL(address);
  const isHttps = protocol === 'https:';
  const fallback = isHttps
    ? `	reverse_proxy ${origin} {
		header_up Host {upstream_hostport}
		trusted_proxies 127.0.0.1/32
		fail_duration 5s
		max_fails 5
		transport http {
			dial_timeout 200ms
		}
	}`
    : '	respond 503';
  return [
    {
      title: 'In each site block of the Caddyfile',
      text: `forward_auth ${isHttps ? FALLBACK : `${origin} ${FALLBACK}`} {
	uri ${VERIFICATION_PATH}?
	header_up Host {upstream_hostport}
	header_up Authorization "Bearer ${token}"
	header_up -X-Original-URI
	header_up -X-Original-Method
	header_up -Cookie
	copy_headers ${VERDICT_HEADERS.join(' ')}
	lb_policy first
	lb_try_duration 1s
	fail_duration 5s
	max_fails 5
	transport http {
		dial_timeout 200ms
		response_header_timeout 3s
	}

	# Allows all requests while Agent Traffic returns errors. Without this, visitors would get those errors.
	@away {
		status 401 403 404 405 408 421 429 5xx
		header !Agent-Traffic-Result
	}
	handle_response @away {
		request_header -Agent-Traffic-*
	}
}`,
    },
    {
      title: 'Next to the site blocks, to allow all requests while the instance is unreachable',
      text: `${FALLBACK} {
	bind 127.0.0.1
${fallback}
}`,
    },
  ];
}
