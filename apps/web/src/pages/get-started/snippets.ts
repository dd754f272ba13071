import { capitalized } from '#libs/agents/vocabulary';
import { command, WHERE } from '../../ui/command.js';
import type { Access, SnippetPart } from '../../ui/snippet-part.js';

const BOT = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';

/** Placeholder for users who can't see the token. In a shell, it expands to the variable's value. */
export const TOKEN_PLACE = '$AGENT_TRAFFIC_TOKEN';

/** Command that sends one visit, claiming to be Googlebot. */
export function curlSnippet({ address, token }: Access): string {
  const visit = {
    request_path: '/hello',
    request_method: 'GET',
    request_headers: { 'user-agent': BOT },
    client_address: '192.0.2.1',
  };
  return [
    `curl -i ${address}/visits \\`,
    `  -H "Authorization: Bearer ${token}" \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -d '${JSON.stringify(visit)}'`,
  ].join('\n');
}

/** Node.js module that reports each visit after its response. */
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
`;

/** Code that calls the module in each framework. The application is `app`. */
export const NODE_FRAMEWORKS = {
  http: {
    label: 'node:http',
    title: 'First in the handler of the server',
    text: 'reportVisit(request, response);',
  },
  express: {
    label: 'Express',
    title: 'Before other middleware',
    text: `app.use((request, response, next) => {
  reportVisit(request, response);
  next();
});`,
  },
  fastify: {
    label: 'Fastify',
    title: 'Before the routes',
    text: `app.addHook('onRequest', async (request, reply) => {
  reportVisit(request.raw, reply.raw);
});`,
  },
  nestjs: {
    label: 'NestJS',
    title: 'In main.ts, before app.listen()',
    text: `app.use((request, response, next) => {
  reportVisit(request, response);
  next();
});`,
  },
  hono: {
    label: 'Hono',
    title: 'Before the routes, on @hono/node-server',
    text: `app.use(async (context, next) => {
  reportVisit(context.env.incoming, context.env.outgoing);
  await next();
});`,
  },
} as const;
export type NodeFramework = keyof typeof NODE_FRAMEWORKS;

const IMPORT = "import { reportVisit } from './agent-traffic.mjs';\n\n";

export function nodeParts(access: Access, framework: NodeFramework): SnippetPart[] {
  const { title, text } = NODE_FRAMEWORKS[framework];
  return [
    { title: 'Save as agent-traffic.mjs', text: nodeSnippet(access) },
    { title, text: IMPORT + text },
  ];
}

export function pythonParts({ address, token }: Access): SnippetPart[] {
  const value = token === TOKEN_PLACE ? "os.environ['AGENT_TRAFFIC_TOKEN']" : `'${token}'`;
  const text = `# agent_traffic.py
import json
${token === TOKEN_PLACE ? 'import os\n' : ''}import queue
import threading
import time
import urllib.parse
import urllib.request

ADDRESS = '${address}/visits'
TOKEN = ${value}


class ReportVisits:
    """WSGI middleware. Never delays or fails a response: what can't be reported is left out."""

    def __init__(self, app):
        self.app = app
        self.visits = queue.Queue(maxsize=1000)
        self.sender = None

    def __call__(self, environ, start_response):
        started = time.monotonic()
        answer = {}

        def start(status, headers, *rest):
            answer.update(response_status_code=int(status[:3]), response_headers=dict(headers))
            return start_response(status, headers, *rest)

        body = self.app(environ, start)
        try:
            yield from body
        finally:
            if hasattr(body, 'close'):
                body.close()
            duration = (time.monotonic() - started) * 1000
            self.report({**request_of(environ), **answer, 'response_duration_in_milliseconds': duration})

    def report(self, visit):
        # Not before: a server may fork after it has made the application.
        if self.sender is None:
            self.sender = threading.Thread(target=self.send, daemon=True)
            self.sender.start()
        try:
            self.visits.put_nowait(visit)
        except queue.Full:
            pass

    def send(self):
        headers = {'Authorization': 'Bearer ' + TOKEN, 'Content-Type': 'application/json'}
        while True:
            body = json.dumps(self.visits.get()).encode()
            try:
                urllib.request.urlopen(urllib.request.Request(ADDRESS, body, headers), timeout=10).close()
            except Exception:
                pass


def request_of(environ):
    path = urllib.parse.quote(environ.get('SCRIPT_NAME', '') + environ.get('PATH_INFO', ''), encoding='latin-1')
    query = environ.get('QUERY_STRING')
    return {
        'request_path': path + ('?' + query if query else ''),
        'request_method': environ['REQUEST_METHOD'],
        'request_headers': {
            name[5:].replace('_', '-').lower(): value for name, value in environ.items() if name.startswith('HTTP_')
        },
        'client_address': environ.get('REMOTE_ADDR'),
    }
`;
  return [
    { title: 'Save as agent_traffic.py', text },
    {
      title: 'Where the application is made (in Django wsgi.py, where it is named application; in Flask app.wsgi_app)',
      text: `from agent_traffic import ReportVisits

application = ReportVisits(application)`,
    },
  ];
}

/** PHP file that runs before each page, and its configuration. */
export function phpParts({ address, token }: Access): SnippetPart[] {
  const value = token === TOKEN_PLACE ? "getenv('AGENT_TRAFFIC_TOKEN')" : `'${token}'`;
  const text = `<?php
// Never fails a page: what can't be reported is left out. PHP-FPM reports after the response.
(function () {
    $address = '${address}/visits';
    $token = ${value};
    $started = hrtime(true);
    register_shutdown_function(function () use ($address, $token, $started) {
        if (function_exists('fastcgi_finish_request')) {
            fastcgi_finish_request();
        }
        $visit = [
            'request_path' => $_SERVER['REQUEST_URI'],
            'request_method' => $_SERVER['REQUEST_METHOD'],
            'request_headers' => (object) getallheaders(),
            'client_address' => $_SERVER['REMOTE_ADDR'],
            'response_status_code' => http_response_code(),
            'response_duration_in_milliseconds' => (hrtime(true) - $started) / 1e6,
        ];
        @file_get_contents($address, false, stream_context_create(['http' => [
            'method' => 'POST',
            'header' => ["Authorization: Bearer $token", 'Content-Type: application/json'],
            'content' => json_encode($visit, JSON_INVALID_UTF8_SUBSTITUTE),
            'timeout' => 2,
        ]]));
    });
})();
`;
  return [
    { title: 'Save as agent-traffic.php, outside of the folder that is served', text },
    { title: 'In php.ini, or .user.ini of the site', text: 'auto_prepend_file = /var/www/agent-traffic.php' },
  ];
}

/** Log files of web servers, in directories that their packages create. */
export const SERVER_LOGS = {
  nginx: '/var/log/nginx/agent-traffic.log',
  caddy: '/var/log/caddy/agent-traffic.log',
  apache: '/var/log/apache2/agent-traffic.log',
} as const;

/** Web server settings for a log with all fields that the importer reads, including the address of the connection. */
export const SERVER_PARTS: Record<keyof typeof SERVER_LOGS, SnippetPart[]> = {
  nginx: [
    {
      title: 'In the http block, or a file of /etc/nginx/conf.d',
      text: `log_format agent_traffic '$host $remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent '
                         '"$http_referer" "$http_user_agent" "$http_x_forwarded_for"';`,
    },
    { title: 'In each server block', text: `access_log ${SERVER_LOGS.nginx} agent_traffic;` },
  ],
  caddy: [
    {
      title: 'In each site block of the Caddyfile',
      text: `log {
	output file ${SERVER_LOGS.caddy}
	format json
}`,
    },
  ],
  apache: [
    {
      title: 'In each virtual host',
      text: `LogFormat "%V %{c}a %l %u %t \\"%r\\" %>s %B \\"%{Referer}i\\" \\"%{User-Agent}i\\" \\"%{X-Forwarded-For}i\\"" agent_traffic
CustomLog ${SERVER_LOGS.apache} agent_traffic`,
    },
  ],
};

export const serverParts = (server: keyof typeof SERVER_LOGS, access: Access): SnippetPart[] => [
  ...SERVER_PARTS[server],
  {
    title: 'On the machine of the server, kept running (as a service, for instance)',
    text: importLines(access, [command(`logs import --follow ${SERVER_LOGS[server]}`)]),
  },
];

/** Commands that import an access log, to be run where Agent Traffic is installed. */
export const logSnippet = (access: Access): string =>
  importLines(access, [
    '# What is there: running it twice records nothing twice.',
    command('logs import /var/log/nginx/access.log'),
    '# And what comes from now on:',
    command('logs import --follow /var/log/nginx/access.log'),
  ]);

const importLines = ({ address, token }: Access, lines: readonly string[]): string =>
  [
    `# ${capitalized(WHERE)}:`,
    `export AGENT_TRAFFIC_URL='${address}'`,
    ...(token === TOKEN_PLACE ? [] : [`export AGENT_TRAFFIC_TOKEN='${token}'`]),
    ...lines,
  ].join('\n');
