import './quick-passwords.js';
import { join } from 'node:path';
import type { DynamicModule } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { pino, type DestinationStream } from 'pino';
import type { EvidenceSources } from '#libs/agents';
import { docsLimit, RateLimiter } from '#libs/cache';
import { Bus, BusServer } from '#libs/bus';
import type { DataCenterList, PinnedDirectory } from '#libs/catalog';
import { openApiDocuments, type OperationAccess } from '#libs/contracts';
import { SecretBox } from '#libs/database';
import type { DnsServers, EgressPolicy } from '#libs/evidence';
import { createHttpApp, createLogger, registerDocs, type Clock, type Logger } from '#libs/platform';
import type { FastifyInstance, RouteOptions } from 'fastify';
import type { MailSettings } from '../../apps/console/src/alerts/channels/mail-settings.js';
import type { SecondFactorPolicy } from '../../apps/console/src/access/second-factor-policy.js';
import type { OidcSettings } from '../../apps/console/src/accounts/oidc-settings.js';
import type { ConsoleSettings } from '../../apps/console/src/console-settings.js';
import type { SitePolicy } from '../../apps/console/src/connecting/site-request.js';
import { BootstrapRepository } from '../../apps/console/src/bootstrap.repository.js';
import { ensureTestAgentKey } from '../../apps/console/src/connecting/test-agent.repository.js';
import { StandaloneModule } from '../../apps/standalone/src/standalone.module.js';
import { startTestDatabase, type DatabaseTemplate, type TestDatabase } from './database.js';
import { leftOvers } from './instance.js';

export interface AppOptions {
  clock?: Clock;
  /** Default: real DNS and key directories. */
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
  /** Hours between refreshes of agent feeds. Default: 0, only on request. */
  feedsRefreshHours?: number;
  metricsToken?: string;
  /** Destination of all log output, from `trace` up. By default, nothing is logged. */
  log?: DestinationStream;
  /** Folder of the dashboard bundle. Not served by default. */
  webRoot?: string;
}

const BUILT_WEB = join(import.meta.dirname, '../../dist/apps/web');

/** Route in Fastify's notation. */
export interface Route {
  method: string;
  url: string;
  access: OperationAccess | undefined;
}

/** Untyped on purpose: a response of the wrong shape fails the test anyway. */
export type Json = ReturnType<typeof JSON.parse>;

export interface Answer {
  status: number;
  /** Parsed JSON, or null for other content types. */
  body: Json;
  text: string;
  headers: Record<string, unknown>;
}

/** All services in the test's process, on a real database. Options replace external dependencies. */
export class App {
  private constructor(
    readonly nest: NestFastifyApplication,
    readonly database: TestDatabase,
    readonly accessToken: string,
    readonly apiKey: string,
    /** All routes except the handlers that respond with 405. */
    readonly routes: readonly Route[],
  ) {}

  static async start(options: AppOptions = {}): Promise<App> {
    const database = await startTestDatabase(STARTED);
    const logger =
      options.log === undefined
        ? pino({ level: process.env['LOG'] ?? 'silent' })
        : createLogger({ service: 'test', level: 'trace', pretty: false, destination: options.log });
    const secretKey = SecretBox.newKey();
    await database.dataSource.transaction((transaction) => ensureTestAgentKey(transaction, new SecretBox(secretKey)));
    const module = moduleOf(options, { databaseUrl: database.url, secretKey, logger });
    const nest = await createHttpApp(module, logger);
    const instance: FastifyInstance = nest.getHttpAdapter().getInstance();
    const routes: RouteOptions[] = [];
    instance.addHook('onRoute', (route) => void routes.push(route));
    nest.connectMicroservice({ strategy: new BusServer(nest.get(Bus)) });
    await registerDocs(instance, openApiDocuments(), options.webRoot ?? BUILT_WEB, docsLimit(nest.get(RateLimiter)));
    await nest.init();
    const known = routes.length;
    instance.refuseOtherMethods();
    // Drops the 405 handlers. Routes that plugins register in `ready()` are still added.
    routes.splice(known);
    await nest.startAllMicroservices();
    await instance.ready();
    const served = routes.flatMap(({ method, url, config }) =>
      [method].flat().map((name) => ({ method: name, url, access: config?.access })),
    );
    const { accessToken, apiKey } = await nest.get(BootstrapRepository).bootstrap({});
    const app = new App(nest, database, accessToken!, apiKey!, served);
    leftOvers.add(app);
    return app;
  }

  /** Calls the public API with the project's access token. */
  post(url: string, body: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    return this.send('POST', url, body, { authorization: `Bearer ${this.accessToken}`, ...headers });
  }

  /** Calls the console API with the admin API key. */
  api(method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: unknown): Promise<Answer> {
    return this.send(method, `/api${path}`, body, { authorization: `Bearer ${this.apiKey}` });
  }

  async send(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    url: string,
    body: unknown,
    headers: Record<string, string>,
  ): Promise<Answer> {
    const answer = await this.nest.inject({
      method,
      url,
      headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { payload: JSON.stringify(body) }),
    });
    return {
      status: answer.statusCode,
      headers: answer.headers,
      body: /\bjson\b/.test(String(answer.headers['content-type'])) ? JSON.parse(answer.payload) : null,
      text: answer.payload,
    };
  }

  async dispose(): Promise<void> {
    if (!leftOvers.delete(this)) return;
    await this.nest.close();
    await this.database.stop();
  }
}

interface Surroundings {
  databaseUrl: string;
  secretKey: string;
  logger: Logger;
}

function moduleOf(options: AppOptions, { databaseUrl, secretKey, logger }: Surroundings): DynamicModule {
  const publicUrl = options.publicUrl ?? 'http://127.0.0.1:3000';
  return StandaloneModule.forRoot({
    databaseUrl,
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

/** Database of an app that has already started. Copying it skips storing the catalog and creating partitions. */
const STARTED: DatabaseTemplate = {
  name: 'started',
  make: async (databaseUrl) => {
    const logger = pino({ level: 'silent' });
    const nest = await createHttpApp(moduleOf({}, { databaseUrl, secretKey: SecretBox.newKey(), logger }), logger);
    await nest.init();
    await nest.close();
  },
};
