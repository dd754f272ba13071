/** Dependency rules for the code base, checked by `npm run boundaries`. See docs/architecture.md. */
const only = (name, packages, allowed, comment) => ({
  name,
  comment,
  severity: 'error',
  from: { path: '^(apps|libs|test)/', pathNot: allowed },
  to: { path: `^node_modules/(${packages})/` },
});

/** Vocabulary for agent identification. Its modules only import each other, so browsers can load them too. */
const VOCABULARY = '^libs/agents/src/vocabulary\\.ts$';
const VOCABULARY_MODULES = '^libs/agents/src/(?:vocabulary|results|reasons|automation-signs)\\.ts$';

/** Modules in libs/contracts that the dashboard shares with the services and the CLI. */
const SHARED_WITH_BROWSERS =
  '^libs/contracts/src/(?:agent-record|change|change-causes|crawl-ratio|duration|load-cost|time-span)\\.ts$';

/** The only libs/platform module the CLI may load at startup. The others load NestJS, which is slow to start. */
const VERSION = '^libs/platform/src/version\\.ts$';

/** Lets `logs import` match agents without loading NestJS and the rest of libs/catalog. */
const BUNDLED_CATALOG = '^libs/catalog/src/bundled-catalog\\.ts$';

/** Modules without imports, which the client package can bundle. */
const FOR_CLIENT = [
  '^libs/agents/src/credential-names\\.ts$',
  '^libs/contracts/src/agent-type\\.ts$',
  '^libs/policy/src/request-target\\.ts$',
];

const ENTRY = '^apps/(?!web/)[^/]+/(src/main\\.ts|bin/)';

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true, dependencyTypesNot: ['type-only'] } },
    { name: 'resolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
    {
      name: 'no-app-to-app',
      comment: 'Apps communicate over the bus or HTTP. Only standalone mode and the CLI may import other apps.',
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
      comment: "Move code that only tests use to test/, which isn't built.",
      severity: 'error',
      from: { path: ENTRY },
      to: {
        path: '^(apps/(?!web/)|libs/(?!(client|engine)/))',
        pathNot: ['\\.spec\\.ts$', '^apps/(bundle|start)\\.mjs$', ENTRY],
        reachable: false,
      },
    },
    {
      name: 'libs-through-index',
      comment:
        'Import a lib only through its index.ts. The agent vocabulary, the version module, the bundled catalog, and the contract modules shared with browsers are exempt.',
      severity: 'error',
      from: { path: '^(apps|libs)/([^/]+)/', pathNot: '^libs/client/' },
      to: {
        path: '^libs/',
        pathNot: [
          '^libs/$2/',
          '^libs/[^/]+/src/index\\.ts$',
          VOCABULARY,
          VERSION,
          BUNDLED_CATALOG,
          SHARED_WITH_BROWSERS,
        ],
      },
    },
    {
      name: 'command-line-starts-quickly',
      comment:
        'These libs are slow to load. Import them inside the command that needs them: `const { … } = await import(…)`.',
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
      comment: 'libs/agents does no I/O. Inject DNS, key directories, address lists, and the clock through ports.',
      severity: 'error',
      from: { path: '^libs/agents/', pathNot: '\\.spec\\.ts$' },
      to: {
        path: ['^node_modules/(@nestjs|typeorm|pg|kafkajs|ioredis)/', '^(node:)?(fs|net|dns|http|https|timers)(/|$)'],
      },
    },
    {
      name: 'web-runs-in-browsers',
      comment:
        'The dashboard talks to the server only through its API. It may import the agent vocabulary and the libs that run in browsers: robots, policy, sign-in, passwords, csv, access-log, and drains. Only build scripts and modules evaluated at build time may import the API definition.',
      severity: 'error',
      from: {
        path: '^apps/web/src/',
        pathNot: ['\\.spec\\.ts$', '^apps/web/src/api/(constants|timeline-filters)\\.ts$'],
      },
      to: {
        path: ['^(libs|test)/', '^apps/(?!web/src/)'],
        pathNot: [
          '^libs/(robots|policy|sign-in|passwords|csv|access-log|drains)/src/index\\.ts$',
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
        path: ['^libs/(robots|sign-in|csv|drains)/', VOCABULARY_MODULES, SHARED_WITH_BROWSERS],
        pathNot: '\\.spec\\.ts$',
      },
      to: {
        path: ['^node_modules/', '^node:', '^libs/(?!$1/)', '^apps/'],
        pathNot: VOCABULARY_MODULES,
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'policy-runs-anywhere',
      severity: 'error',
      from: { path: '^libs/policy/', pathNot: '\\.spec\\.ts$' },
      to: {
        path: ['^node_modules/', '^node:', '^(apps|libs)/(?!(policy|robots|agents)/)'],
        pathNot: VOCABULARY,
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
        'The client package has no dependencies, so it runs in Node.js, workers, and edge runtimes. Only its Node.js entry point may import Node.js types.',
      severity: 'error',
      from: { path: ['^libs/client/', ...FOR_CLIENT], pathNot: ['\\.spec\\.ts$', '^libs/client/src/node\\.ts$'] },
      to: { path: ['^node_modules/', '^node:', '^(apps|libs)/'], pathNot: ['^libs/client/', ...FOR_CLIENT] },
    },
    {
      name: 'engine-runs-anywhere',
      comment:
        'Sites run the engine in Node.js, workers, and edge runtimes. Its build bundles the pure libs it imports.',
      severity: 'error',
      from: { path: '^libs/engine/src/' },
      to: {
        path: ['^node_modules/', '^node:', '^(apps|libs)/'],
        pathNot: '^libs/(engine|agents|policy)/',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'nothing-imports-the-client',
      comment:
        'Sites install the client package, so our services must not depend on it. Its tests import the built package.',
      severity: 'error',
      from: { path: '^(apps|libs)/(?!client/)' },
      to: { path: '^libs/client/' },
    },
    {
      name: 'pages-stand-alone',
      comment: 'Move code shared by several dashboard pages to a folder next to pages/.',
      severity: 'error',
      from: { path: '^apps/web/src/pages/([^/]+)/' },
      to: { path: '^apps/web/src/pages/', pathNot: '^apps/web/src/pages/$1/' },
    },
    {
      name: 'pages-at-the-top',
      comment: 'Only the router may import pages. The palette may import their section lists.',
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
      comment: 'Services are installed without the packages that only the dashboard bundle needs.',
      severity: 'error',
      from: { path: '^(apps|libs)/', pathNot: '^apps/web/' },
      to: { path: '^node_modules/(react|react-dom|vite|@mantine|@tanstack|openapi-fetch)/' },
    },
    only('kafkajs-in-bus', 'kafkajs', '^(libs/bus|test)/', 'Use Kafka only through libs/bus.'),
    only(
      'accounts-in-console',
      'openid-client|otpauth|@simplewebauthn/server',
      '^(apps/console|test)/',
      'Only the console authenticates users, so only it may import authentication packages.',
    ),
    only('ioredis-in-cache', 'ioredis', '^(libs/cache|test)/', 'Use Redis only through libs/cache.'),
    only(
      'sql-in-repositories',
      'typeorm|pg',
      '^(libs/database|test)/|\\.(repository|module|entity)\\.ts$|\\.int\\.spec\\.ts$',
      'SQL belongs in libs/database, repositories, and modules.',
    ),
  ],
  options: {
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(libs/(client|engine)/)?dist/' },
    enhancedResolveOptions: {
      conditionNames: ['agent-traffic-source', 'import', 'require', 'node', 'default'],
      exportsFields: ['exports'],
    },
  },
};
