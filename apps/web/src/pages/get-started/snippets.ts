import { capitalized } from '#libs/agents/vocabulary';
import { command, WHERE } from '../../ui/command.js';

const BOT = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';

/** What a viewer sees in place of the token, and what a shell fills in. */
export const TOKEN_PLACE = '$AGENT_TRAFFIC_TOKEN';

export interface Access {
  /** Without a slash at its end. */
  address: string;
  token: string;
}

/** Sends one visit, of a pretended Googlebot. */
export function curlSnippet({ address, token }: Access): string {
  const visit = { request_path: '/hello', request_method: 'GET', request_headers: { 'user-agent': BOT } };
  return [
    `curl -i ${address}/visits \\`,
    `  -H "Authorization: Bearer ${token}" \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -d '${JSON.stringify(visit)}'`,
  ].join('\n');
}

/** A module that reports each visit of a Node server, after its response. */
export const nodeSnippet = ({ address, token }: Access): string => `// agent-traffic.mjs
${token === TOKEN_PLACE ? "import { env } from 'node:process';\n" : ''}const ADDRESS = '${address}/visits';
const TOKEN = ${token === TOKEN_PLACE ? 'env.AGENT_TRAFFIC_TOKEN' : `'${token}'`};

// Never delays or fails a response: what can't be reported is left out.
export function reportVisit(request, response) {
  const started = performance.now();
  // Gone once the connection is.
  const clientAddress = request.socket.remoteAddress;
  response.once('finish', () => {
    const visit = {
      request_path: request.originalUrl ?? request.url,
      request_method: request.method,
      request_headers: request.headers,
      client_address: clientAddress,
      response_status_code: response.statusCode,
      response_headers: response.getHeaders(),
      response_duration_in_milliseconds: performance.now() - started,
    };
    fetch(ADDRESS, {
      method: 'POST',
      headers: { authorization: \`Bearer \${TOKEN}\`, 'content-type': 'application/json' },
      body: JSON.stringify(visit),
    }).catch(() => {});
  });
}

// Express:
//   app.use((request, response, next) => (reportVisit(request, response), next()));
// Fastify:
//   app.addHook('onRequest', async (request, reply) => reportVisit(request.raw, reply.raw));
// node:http, first in the handler:
//   reportVisit(request, response);
`;

/** Reads an access log; run where Agent Traffic is installed, with the log brought there. */
export const logSnippet = ({ address, token }: Access): string =>
  [
    `# ${capitalized(WHERE)}:`,
    `export AGENT_TRAFFIC_URL='${address}'`,
    ...(token === TOKEN_PLACE ? [] : [`export AGENT_TRAFFIC_TOKEN='${token}'`]),
    '# What is there: running it twice records nothing twice.',
    command('logs import /var/log/nginx/access.log'),
    '# And what comes from now on:',
    command('logs import --follow /var/log/nginx/access.log'),
  ].join('\n');
