/** Boundaries of the code base, checked by `npm run boundaries`. See docs/architecture.md. */
const only = (name, packages, allowed, comment) => ({
  name,
  comment,
  severity: 'error',
  from: { path: '^(apps|libs|test)/', pathNot: allowed },
  to: { path: `^node_modules/(${packages})/` },
});

/** Vocabulary of identification. It imports nothing, so it runs in browsers. */
const VOCABULARY = '^libs/agents/src/vocabulary\\.ts$';

/** Functions of libs/contracts that the dashboard shares with the services and the CLI. */
const SHARED_WITH_BROWSERS = '^libs/contracts/src/(?:agent-record|span-text)\\.ts$';

/** The only module of libs/platform that the CLI loads at startup. The others load NestJS, which is slow to start. */
const VERSION = '^libs/platform/src/version\\.ts$';

/** Modules without imports that libs/client can include in its package. */
const FOR_CLIENT = ['^libs/agents/src/credential-names\\.ts$', '^libs/contracts/src/agent-type\\.ts$'];

const ENTRY = '^apps/(?!web/)[^/]+/(src/main\\.ts|bin/)';

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true, dependencyTypesNot: ['type-only'] } },
    { name: 'resolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
    {
      name: 'no-app-to-app',
      comment: 'Services meet on the bus or over HTTP. Standalone joins them, the command line administers them.',
      severity: 'error',
      from: { path: '^apps/([^/]+)/', pathNot: '^apps/(standalone|cli)/' },
      to: { path: '^apps/', pathNot: '^apps/$1/' },
    },
    { name: 'no-lib-to-app', severity: 'error', from: { path: '^libs/' }, to: { path: '^apps/' } },
    {
      name: 'no-test-in-production',
      severity: 'error',
      from: { path: '^(apps|libs)/', pathNot: '\\.spec\\.ts$' },
      to: { path: '^test/' },
    },
    {
      name: 'built-for-production',
      comment: 'What only tests use is in test/, where it is not built.',
      severity: 'error',
      from: { path: ENTRY },
      to: {
        path: '^(apps/(?!web/)|libs/(?!client/))',
        pathNot: ['\\.spec\\.ts$', '^apps/(bundle|start)\\.mjs$', ENTRY],
        reachable: false,
      },
    },
    {
      name: 'libs-through-index',
      comment:
        'A lib is entered through its index.ts (tests of the whole system may look inside). The vocabulary has an entry of its own, for browsers and for contracts, and so has the version, for the command line.',
      severity: 'error',
      from: { path: '^(apps|libs)/([^/]+)/', pathNot: '^libs/client/' },
      to: {
        path: '^libs/',
        pathNot: ['^libs/$2/', '^libs/[^/]+/src/index\\.ts$', VOCABULARY, VERSION, SHARED_WITH_BROWSERS],
      },
    },
    {
      name: 'command-line-starts-quickly',
      comment: 'What a command needs of these is imported when it runs: `const { … } = await import(…)`.',
      severity: 'error',
      from: { path: '^apps/cli/src/(commands/|main|client|instance|options)', pathNot: '\\.spec\\.ts$' },
      to: {
        path: '^libs/(platform|bus|database|catalog|evidence|embedded-postgres)/src/index\\.ts$',
        dependencyTypesNot: ['type-only', 'dynamic-import'],
      },
    },
    {
      name: 'pure-libs-stand-alone',
      severity: 'error',
      from: { path: '^libs/(contracts|agents|robots|sign-in|passwords|csv)/' },
      to: {
        path: '^(apps|libs)/',
        pathNot: [
          '^libs/contracts/',
          '^libs/agents/',
          '^libs/drains/',
          '^libs/robots/',
          '^libs/sign-in/',
          '^libs/passwords/',
          '^libs/csv/',
        ],
      },
    },
    {
      name: 'contracts-and-agents-apart',
      severity: 'error',
      from: { path: '^libs/(contracts|agents|robots|sign-in|passwords|csv)/' },
      to: {
        path: '^libs/(contracts|agents|robots|sign-in|passwords|csv)/',
        pathNot: ['^libs/$1/', '^libs/drains/', VOCABULARY],
      },
    },
    {
      name: 'agents-is-pure',
      comment: 'DNS, key directories, lists and time come in through ports.',
      severity: 'error',
      from: { path: '^libs/agents/', pathNot: '\\.spec\\.ts$' },
      to: {
        path: ['^node_modules/(@nestjs|typeorm|pg|kafkajs|ioredis)/', '^(node:)?(fs|net|dns|http|https|timers)(/|$)'],
      },
    },
    {
      name: 'web-runs-in-browsers',
      comment:
        'The dashboard knows the server by its interface alone. What builds it may look at the interface, and so may the modules that the build evaluates. The vocabulary, libs/robots, libs/sign-in, libs/passwords, libs/csv, libs/access-log and libs/drains run anywhere.',
      severity: 'error',
      from: {
        path: '^apps/web/src/',
        pathNot: ['\\.spec\\.ts$', '^apps/web/src/api/(constants|timeline-filters)\\.ts$'],
      },
      to: {
        path: ['^(libs|test)/', '^apps/(?!web/src/)'],
        pathNot: [
          '^libs/(robots|sign-in|passwords|csv|access-log|drains)/src/index\\.ts$',
          VOCABULARY,
          SHARED_WITH_BROWSERS,
        ],
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'runs-anywhere',
      severity: 'error',
      from: {
        path: ['^libs/(robots|sign-in|csv|drains)/', VOCABULARY, SHARED_WITH_BROWSERS],
        pathNot: '\\.spec\\.ts$',
      },
      to: {
        path: ['^node_modules/', '^node:', '^libs/(?!$1/)', '^apps/'],
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'access-log-runs-anywhere',
      severity: 'error',
      from: { path: '^libs/access-log/', pathNot: '\\.spec\\.ts$' },
      to: { path: ['^node_modules/(?!(p-limit|uuid)/)', '^node:', '^(apps|libs)/(?!access-log/)'] },
    },
    {
      name: 'client-stands-alone',
      comment:
        'It is a package without dependencies that runs in Node.js, in workers and at the edge. The entry for servers of Node.js has their types.',
      severity: 'error',
      from: { path: ['^libs/client/', ...FOR_CLIENT], pathNot: ['\\.spec\\.ts$', '^libs/client/src/node\\.ts$'] },
      to: { path: ['^node_modules/', '^node:', '^(apps|libs)/'], pathNot: ['^libs/client/', ...FOR_CLIENT] },
    },
    {
      name: 'nothing-imports-the-client',
      comment: 'Sites install it; its tests try what was built.',
      severity: 'error',
      from: { path: '^(apps|libs)/(?!client/)' },
      to: { path: '^libs/client/' },
    },
    {
      name: 'pages-stand-alone',
      comment: 'What two pages of the dashboard use is in a folder beside pages/.',
      severity: 'error',
      from: { path: '^apps/web/src/pages/([^/]+)/' },
      to: { path: '^apps/web/src/pages/', pathNot: '^apps/web/src/pages/$1/' },
    },
    {
      name: 'pages-at-the-top',
      comment: 'The router opens pages, and the palette lists their parts.',
      severity: 'error',
      from: { path: '^apps/web/src/', pathNot: '^apps/web/src/(pages/[^/]+/|palette/|router\\.tsx$)' },
      to: { path: '^apps/web/src/pages/[^/]+/' },
    },
    {
      name: 'web-without-node',
      severity: 'error',
      from: { path: '^apps/web/src/', pathNot: '\\.spec\\.ts$' },
      to: { path: '^node:', dependencyTypes: ['core'] },
    },
    {
      name: 'react-in-web',
      comment: 'What only the bundle needs is not installed where services run.',
      severity: 'error',
      from: { path: '^(apps|libs)/', pathNot: '^apps/web/' },
      to: { path: '^node_modules/(react|react-dom|vite|@mantine|@tanstack|openapi-fetch)/' },
    },
    only('kafkajs-in-bus', 'kafkajs', '^(libs/bus|test)/', 'Kafka is known to libs/bus alone.'),
    only(
      'accounts-in-console',
      'openid-client|otpauth|@simplewebauthn/server',
      '^(apps/console|test)/',
      'Accounts are known to the console alone.',
    ),
    only('ioredis-in-cache', 'ioredis', '^(libs/cache|test)/', 'Redis is known to libs/cache alone.'),
    only(
      'sql-in-repositories',
      'typeorm|pg',
      '^(libs/database|test)/|\\.(repository|module|entity)\\.ts$|\\.int\\.spec\\.ts$',
      'SQL lives in libs/database, repositories and modules.',
    ),
  ],
  options: {
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(libs/client/)?dist/' },
    enhancedResolveOptions: {
      conditionNames: ['agent-traffic-source', 'import', 'require', 'node', 'default'],
      exportsFields: ['exports'],
    },
  },
};
