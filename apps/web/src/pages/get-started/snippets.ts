import { capitalize } from '#libs/agents/vocabulary';
import { command, INSTALL_LOCATION } from '../../ui/command.js';
import type { Access, SnippetPart } from '../../ui/snippet-part.js';

const GOOGLEBOT = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';

/** Placeholder for the token if the user isn't allowed to see it. In a shell, it expands to the environment variable. */
export const TOKEN_PLACEHOLDER = '$AGENT_TRAFFIC_TOKEN';

/** Returns a command that reports one visit by a fake Googlebot. */
export function curlSnippet({ address, token }: Access): string {
  const visit = {
    request_path: '/hello',
    request_method: 'GET',
    request_headers: { 'user-agent': GOOGLEBOT },
    client_address: '192.0.2.1',
  };
  return [
    `curl -i ${address}/visits \\`,
    `  -H "Authorization: Bearer ${token}" \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -d '${JSON.stringify(visit)}'`,
  ].join('\n');
}

/** Returns the source of a Node.js module that reports each visit once its response is sent. */
export const nodeSnippet = ({ address, token }: Access): string => `// agent-traffic.mjs
${token === TOKEN_PLACEHOLDER ? "import { env } from 'node:process';\n" : ''}const ADDRESS = '${address}/visits';
const TOKEN = ${token === TOKEN_PLACEHOLDER ? 'env.AGENT_TRAFFIC_TOKEN' : `'${token}'`};

// Never delays or fails a response. Visits that can't be reported are dropped.
export function reportVisit(request, response) {
  const started = performance.now();
  // Read now: the address is unavailable once the connection closes.
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

/** Code that calls the module in each framework. It assumes that the application is named `app`. */
export const NODE_FRAMEWORKS = {
  http: {
    label: 'node:http',
    title: 'At the start of the request handler',
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
    title: 'Before the routes, with @hono/node-server',
    text: `app.use(async (context, next) => {
  reportVisit(context.env.incoming, context.env.outgoing);
  await next();
});`,
  },
} as const;
export type NodeFramework = keyof typeof NODE_FRAMEWORKS;

const IMPORT_LINE = "import { reportVisit } from './agent-traffic.mjs';\n\n";

export function nodeParts(access: Access, framework: NodeFramework): SnippetPart[] {
  const { title, text } = NODE_FRAMEWORKS[framework];
  return [
    { title: 'Save as agent-traffic.mjs', text: nodeSnippet(access) },
    { title, text: IMPORT_LINE + text },
  ];
}

export function pythonParts({ address, token }: Access): SnippetPart[] {
  const value = token === TOKEN_PLACEHOLDER ? "os.environ['AGENT_TRAFFIC_TOKEN']" : `'${token}'`;
  const text = `# agent_traffic.py
import json
${token === TOKEN_PLACEHOLDER ? 'import os\n' : ''}import queue
import threading
import time
import urllib.parse
import urllib.request

ADDRESS = '${address}/visits'
TOKEN = ${value}


class ReportVisits:
    """WSGI middleware. Never delays or fails a response. Visits that can't be reported are dropped."""

    def __init__(self, app):
        self.app = app
        self.visits = queue.Queue(maxsize=1000)
        self.sender = None

    def __call__(self, environ, start_response):
        started = time.monotonic()
        response = {}

        def start(status, headers, *rest):
            response.update(response_status_code=int(status[:3]), response_headers=dict(headers))
            return start_response(status, headers, *rest)

        body = self.app(environ, start)
        try:
            yield from body
        finally:
            if hasattr(body, 'close'):
                body.close()
            duration = (time.monotonic() - started) * 1000
            self.report({**request_fields(environ), **response, 'response_duration_in_milliseconds': duration})

    def report(self, visit):
        # Started on first use because servers may fork after creating the application.
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


def request_fields(environ):
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
      title: 'Where the application is created (Django: application in wsgi.py; Flask: app.wsgi_app)',
      text: `from agent_traffic import ReportVisits

application = ReportVisits(application)`,
    },
  ];
}

/** Returns a PHP file that runs before each page, and the setting that loads it. */
export function phpParts({ address, token }: Access): SnippetPart[] {
  const value = token === TOKEN_PLACEHOLDER ? "getenv('AGENT_TRAFFIC_TOKEN')" : `'${token}'`;
  const text = `<?php
// Never breaks a page. Visits that can't be reported are dropped. PHP-FPM reports after the response is sent.
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
    { title: 'Save as agent-traffic.php, outside the document root', text },
    { title: 'In php.ini or the site’s .user.ini', text: 'auto_prepend_file = /var/www/agent-traffic.php' },
  ];
}

/** Log file paths. Each server's package already creates the directory. */
export const SERVER_LOGS = {
  nginx: '/var/log/nginx/agent-traffic.log',
  caddy: '/var/log/caddy/agent-traffic.log',
  apache: '/var/log/apache2/agent-traffic.log',
} as const;

/** Web server settings that log every field the importer reads, including the connection's address. */
export const SERVER_PARTS: Record<keyof typeof SERVER_LOGS, SnippetPart[]> = {
  nginx: [
    {
      title: 'In the http block or a file in /etc/nginx/conf.d',
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
    title: 'On the web server, running continuously (for example, as a service)',
    text: importLines(access, [command(`logs import --follow ${SERVER_LOGS[server]}`)]),
  },
];

/** Returns commands that import an access log. They must run where Agent Traffic is installed. */
export const logSnippet = (access: Access): string =>
  importLines(access, [
    '# Import the existing entries. Running this again creates no duplicates.',
    command('logs import /var/log/nginx/access.log'),
    '# Import new entries as they are written:',
    command('logs import --follow /var/log/nginx/access.log'),
  ]);

const importLines = ({ address, token }: Access, lines: readonly string[]): string =>
  [
    `# ${capitalize(INSTALL_LOCATION)}:`,
    `export AGENT_TRAFFIC_URL='${address}'`,
    ...(token === TOKEN_PLACEHOLDER ? [] : [`export AGENT_TRAFFIC_TOKEN='${token}'`]),
    ...lines,
  ].join('\n');
