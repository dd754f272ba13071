import './fast-passwords.js';
import { join } from 'node:path';
import type { DynamicModule } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { pino, type DestinationStream } from 'pino';
import type { EvidenceSources } from '#libs/agents';
import { createDocsLimit, RateLimiter } from '#libs/cache';
import { Bus, BusServer } from '#libs/bus';
import type { DataCenterList, PinnedDirectory } from '#libs/catalog';
import { openApiDocuments, type OperationAccess } from '#libs/contracts';
import { type ReplicaOptions, SecretBox } from '#libs/database';
import type { DnsServers, EgressPolicy } from '#libs/evidence';
import { createHttpApp, createLogger, registerDocs, type Clock, type Logger } from '#libs/platform';
import type { FastifyInstance, RouteOptions } from 'fastify';
import type { VisitStoreOptions } from '#libs/visit-store';
import type { MailSettings } from '../../apps/console/src/alerts/channels/mail-settings.js';
import type { SecondFactorPolicy } from '../../apps/console/src/access/second-factor-policy.js';
import type { OidcSettings } from '../../apps/console/src/accounts/oidc-settings.js';
import type { ConsoleSettings } from '../../apps/console/src/console-settings.js';
import type { SitePolicy } from '../../apps/console/src/onboarding/site-request.js';
import { BootstrapRepository } from '../../apps/console/src/bootstrap.repository.js';
import { ensureTestAgentKey } from '../../apps/console/src/onboarding/test-agent.repository.js';
import { StandaloneModule } from '../../apps/standalone/src/standalone.module.js';
import { testVisitStore } from './clickhouse.js';
import { startTestDatabase, type DatabaseTemplate, type TestDatabase } from './database.js';
import { disposables } from './instance.js';

export interface AppOptions {
  /** Migrated database. Default: a new one on the run's server. */
  database?: TestDatabase;
  replica?: ReplicaOptions;
  /** ClickHouse database that stores the visits. Its tables must exist. Default: see {@link testVisitStore}. */
  visitStore?: VisitStoreOptions;
  clock?: Clock;
  /** Default: real DNS lookups and key directory requests. */
  sources?: EvidenceSources;
  egress?: EgressPolicy;
  /** Default: `off`. */
  dnsServers?: DnsServers;
  allowTestKeys?: boolean;
  publicUrl?: string;
  oidc?: OidcSettings;
  secondFactor?: SecondFactorPolicy;
  testVisits?: SitePolicy;
  alertChannels?: SitePolicy;
  mail?: MailSettings;
  settings?: Partial<ConsoleSettings>;
  pinnedDirectories?: PinnedDirectory[];
  pinnedLists?: ReadonlyMap<string, readonly string[]>;
  dataCenterLists?: DataCenterList[];
  refreshHours?: number;
  /** Hours between agent feed refreshes. Default: 0 (refresh only on request). */
  feedsRefreshHours?: number;
  metricsToken?: string;
  /** Destination for log output at all levels. By default, nothing is logged. */
  log?: DestinationStream;
  /** Folder containing the dashboard bundle. By default, the dashboard isn't served. */
  webRoot?: string;
}

const BUILT_WEB = join(import.meta.dirname, '../../dist/apps/web');

/** Registered route. `url` uses Fastify's parameter syntax. */
export interface Route {
  method: string;
  url: string;
  access: OperationAccess | undefined;
}

/** Parsed JSON without a type, because tests fail anyway if a response has the wrong shape. */
export type Json = ReturnType<typeof JSON.parse>;

export interface TestResponse {
  status: number;
  /** Parsed JSON, or null for other content types. */
  body: Json;
  text: string;
  headers: Record<string, unknown>;
}

/** Runs all services in the test process against a real database. Options replace external dependencies. */
export class App {
  private constructor(
    readonly nest: NestFastifyApplication,
    readonly database: TestDatabase,
    readonly accessToken: string,
    readonly apiKey: string,
    /** All routes except the 405 handlers. */
    readonly routes: readonly Route[],
  ) {}

  static async start(options: AppOptions = {}): Promise<App> {
    const database = options.database ?? (await startTestDatabase(STARTED_TEMPLATE));
    const logger =
      options.log === undefined
        ? pino({ level: process.env['LOG'] ?? 'silent' })
        : createLogger({ service: 'test', level: 'trace', pretty: false, destination: options.log });
    const secretKey = SecretBox.generateKey();
    await database.dataSource.transaction((transaction) => ensureTestAgentKey(transaction, new SecretBox(secretKey)));
    const visitStore = options.visitStore ?? testVisitStore(database.dataSource);
    const module = createModule(
      { ...options, ...(visitStore && { visitStore }) },
      { databaseUrl: database.url, secretKey, logger },
    );
    const nest = await createHttpApp(module, logger);
    const instance: FastifyInstance = nest.getHttpAdapter().getInstance();
    const routes: RouteOptions[] = [];
    instance.addHook('onRoute', (route) => void routes.push(route));
    nest.connectMicroservice({ strategy: new BusServer(nest.get(Bus)) });
    await registerDocs(
      instance,
      openApiDocuments(),
      options.webRoot ?? BUILT_WEB,
      createDocsLimit(nest.get(RateLimiter)),
    );
    await nest.init();
    const routeCount = routes.length;
    instance.rejectOtherMethods();
    // Remove the 405 handlers from the list of routes. Routes that plugins register during `ready()` are still added.
    routes.splice(routeCount);
    await nest.startAllMicroservices();
    await instance.ready();
    const registeredRoutes = routes.flatMap(({ method, url, config }) =>
      [method].flat().map((name) => ({ method: name, url, access: config?.access })),
    );
    const { accessToken, apiKey } = await nest.get(BootstrapRepository).bootstrap({});
    const app = new App(nest, database, accessToken!, apiKey!, registeredRoutes);
    disposables.add(app);
    return app;
  }

  /** Calls the public API with the project's access token. */
  post(url: string, body: unknown, headers: Record<string, string> = {}): Promise<TestResponse> {
    return this.send('POST', url, body, { authorization: `Bearer ${this.accessToken}`, ...headers });
  }

  /** Calls the console API with the admin API key. */
  api(method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: unknown): Promise<TestResponse> {
    return this.send(method, `/api${path}`, body, { authorization: `Bearer ${this.apiKey}` });
  }

  async send(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    url: string,
    body: unknown,
    headers: Record<string, string>,
  ): Promise<TestResponse> {
    const response = await this.nest.inject({
      method,
      url,
      headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { payload: JSON.stringify(body) }),
    });
    return {
      status: response.statusCode,
      headers: response.headers,
      body: /\bjson\b/.test(String(response.headers['content-type'])) ? JSON.parse(response.payload) : null,
      text: response.payload,
    };
  }

  async dispose(): Promise<void> {
    if (!disposables.delete(this)) return;
    await this.nest.close();
    await this.database.stop();
  }
}

interface AppEnvironment {
  databaseUrl: string;
  secretKey: string;
  logger: Logger;
}

function createModule(options: AppOptions, { databaseUrl, secretKey, logger }: AppEnvironment): DynamicModule {
  const publicUrl = options.publicUrl ?? 'http://127.0.0.1:3000';
  return StandaloneModule.forRoot({
    databaseUrl,
    replica: options.replica ?? null,
    visitStore: options.visitStore ?? null,
    secretKey,
    publicUrl,
    console: {
      ROBOTS_REFRESH_HOURS: 0,
      ...(options.oidc && { oidc: options.oidc }),
      ...(options.secondFactor && { SECOND_FACTOR_REQUIRED: options.secondFactor }),
      ...(options.testVisits && { testVisits: options.testVisits }),
      ...(options.alertChannels && { alertChannels: options.alertChannels }),
      ...(options.mail && { mail: options.mail }),
      ...options.settings,
    },
    logger,
    metricsToken: options.metricsToken,
    ...(options.webRoot !== undefined && { webRoot: options.webRoot }),
    kafka: null,
    redis: null,
    gateway: {},
    ingest: { RETENTION_DAYS: 3_650 },
    catalog: {
      pinnedDirectories: options.pinnedDirectories ?? [],
      dataCenterLists: options.dataCenterLists ?? [],
      pinnedLists: options.pinnedLists ?? new Map(),
      IP_LISTS_REFRESH_HOURS: options.refreshHours ?? 0,
      AGENT_FEEDS_REFRESH_HOURS: options.feedsRefreshHours ?? 0,
    },
    evidence: {
      dnsServers: options.dnsServers ?? 'off',
      allowTestKeys: options.allowTestKeys ?? false,
      ...(options.sources && { sources: options.sources }),
      ...(options.egress && { egress: options.egress }),
    },
    ...(options.clock && { clock: options.clock }),
    ...(options.webRoot !== undefined && { webRoot: options.webRoot }),
  });
}

/**
 * Database after an app's first start. Apps that start on a copy don't have to store the catalog and create partitions.
 */
const STARTED_TEMPLATE: DatabaseTemplate = {
  name: 'started',
  populate: async (databaseUrl) => {
    const logger = pino({ level: 'silent' });
    const nest = await createHttpApp(
      createModule({}, { databaseUrl, secretKey: SecretBox.generateKey(), logger }),
      logger,
    );
    await nest.init();
    await nest.close();
  },
};
