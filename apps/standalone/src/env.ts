import { kafkaOptions, kafkaSettings } from '#libs/bus';
import { redisAddress, redisSettings } from '#libs/cache';
import { databaseSettings, databaseUrl } from '#libs/database';
import { evidenceOptions, evidenceSettings } from '#libs/evidence';
import { isPretty, proxySettings, readEnvironment, secret, serviceSettings, str, url } from '#libs/platform';
import { secondFactorSettings } from '../../console/src/access/second-factor-policy.js';
import { sessionSettings } from '../../console/src/access/session-days.js';
import { administratorOf, administratorSettings } from '../../console/src/accounts/account-settings.js';
import { mailOptionsOf } from '../../console/src/alerts/channels/mail-settings.js';
import { oidcOf, oidcSettings } from '../../console/src/accounts/oidc-settings.js';
import {
  alertSettings,
  limitSettings,
  limitsOf,
  networkFilesOf,
  networkSettings,
  robotsSettings,
  testVisitSettings,
} from '../../console/src/env.js';
import { catalogModuleOptions, catalogSettings } from '../../catalog/src/env.js';
import { gatewaySettings } from '../../gateway/src/env.js';
import { ingestSettings } from '../../ingest/src/env.js';

const specification = {
  ...serviceSettings(3000),
  ...proxySettings,
  DATA_DIR: str({ default: './data', desc: 'Where the embedded database and the secrets are kept' }),
  DATABASE_URL: str({ default: undefined, desc: 'A PostgreSQL (15 or later) to use instead of the embedded one' }),
  DATABASE_PASSWORD: databaseSettings.DATABASE_PASSWORD,
  SECRET_KEY: secret(43)({
    default: undefined,
    desc: '32 bytes, as hex or base64, that encrypt access tokens at rest; made on first start when absent',
  }),
  SECRET_KEY_PREVIOUS: secret(43)({
    default: undefined,
    desc: 'A key that is accepted too, while SECRET_KEY is rotated',
  }),
  PROJECT_ACCESS_TOKEN: secret(20)({
    default: undefined,
    desc: "The first project's access token, for automatic set-ups",
  }),
  API_KEY: secret(20)({ default: undefined, desc: 'The first personal API key, for automatic set-ups' }),
  ...administratorSettings,
  ...oidcSettings,
  ...sessionSettings,
  ...secondFactorSettings,
  ...testVisitSettings,
  ...alertSettings,
  ...robotsSettings,
  ...networkSettings,
  ...limitSettings,
  ...gatewaySettings,
  ...ingestSettings,
  ...catalogSettings,
  PUBLIC_URL: url({ default: undefined, desc: 'Address under which everything is reached' }),
  ...evidenceSettings,
  ...kafkaSettings,
  ...redisSettings,
};

export type StandaloneSettings = ReturnType<typeof readSettings>;

/** @throws ConfigurationError with every fault. */
export function readSettings(source?: NodeJS.ProcessEnv) {
  const settings = readEnvironment(specification, source);
  const { DATABASE_URL: database, DATABASE_PASSWORD: password } = settings;
  const publicUrl = settings.PUBLIC_URL ?? `http://127.0.0.1:${settings.PORT}`;
  return {
    ...settings,
    pretty: isPretty(settings.LOG_FORMAT),
    redis: redisAddress(settings),
    kafka: kafkaOptions(settings),
    PUBLIC_URL: publicUrl,
    DATABASE_URL: database && databaseUrl(database, password),
    evidence: evidenceOptions(settings),
    catalog: catalogModuleOptions({ ...settings, PUBLIC_URL: publicUrl }, false),
    administrator: administratorOf(settings),
    oidc: oidcOf(settings),
    networks: networkFilesOf(settings),
    limits: limitsOf(settings),
    mail: mailOptionsOf(settings),
    alertChannels: { allowPrivateAddresses: settings.ALERTS_ALLOW_PRIVATE },
    testVisits: { allowPrivateAddresses: settings.TEST_VISIT_ALLOW_PRIVATE },
  };
}
