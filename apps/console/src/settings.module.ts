import { type DynamicModule, Global, Module } from '@nestjs/common';
import type { ServiceClientOptions } from '#libs/catalog';
import { SecretBox } from '#libs/database';
import { CHANNEL_POLICY } from './alerts/channels/channel.sender.js';
import { MAIL_SETTINGS, type MailSettings } from './alerts/channels/mail-settings.js';
import { DeviceCookie } from './access/device-cookie.js';
import { PasskeyCookie, PendingCookie } from './access/pending-cookie.js';
import { SECOND_FACTOR_POLICY, type SecondFactorPolicy } from './access/second-factor-policy.js';
import { DEFAULT_SESSION_DAYS, SESSION_DAYS } from './access/session-days.js';
import { SessionCookie } from './access/session-cookie.js';
import { OIDC_SETTINGS, type OidcSettings } from './accounts/oidc-settings.js';
import { SITE_POLICY, type SitePolicy } from './connecting/site-request.js';
import { NETWORK_FILES, type NetworkFiles } from './networks/networks.service.js';
import { PUBLIC_URL } from './public-url.js';
import { PublicUrlTls } from './public-url-tls.js';
import { ROBOTS_REFRESH_HOURS } from './robots-versions/robots-fetches.service.js';
import { RULES_SERVICE } from './system/rules-health.service.js';
import { DEFAULT_READING_LIMITS, READING_LIMITS, type ReadingLimits } from './visits/stream-limits.js';

export interface ConsoleOptions {
  /** 32 bytes, as hex or base64, that access tokens are encrypted with at rest, and sessions' cookies signed. */
  secretKey: string;
  /** Also accepted, while the key is rotated. */
  previousSecretKey?: string | undefined;
  /** Whether there is Kafka between the services. */
  hasQueue: boolean;
  /** Address under which this is reached. */
  publicUrl: string;
  /** Where test visits and fetches of robots.txt may go: to public addresses unless given. */
  testVisits?: SitePolicy;
  /** Where alerts may be sent to: to public addresses by https unless given. */
  alertChannels?: SitePolicy;
  /** The mail server; none unless given. */
  mail?: MailSettings | null;
  /** Hours after which robots.txt is fetched again; 0 and absent: only on request. */
  robotsRefreshHours?: number;
  /** Files that networks are named by. */
  networks?: NetworkFiles;
  /** Limits on live streams and exports. */
  limits?: ReadingLimits;
  /** Days after which a session ends, however much it is used. */
  sessionDays?: number;
  /** Who needs a second factor; nobody unless given. */
  secondFactor?: SecondFactorPolicy;
  /** An OpenID provider to sign in with. */
  oidc?: OidcSettings | null;
  /** Where the rules service is; null where it runs in this process. */
  rules?: ServiceClientOptions | null;
  /** Folder of the dashboard's bundle; without it only the interface is served. */
  webRoot?: string;
}

/** Injection token: {@link ConsoleOptions.webRoot}. */
export const WEB_ROOT = Symbol('folder of the dashboard');

/** Provides the console's configuration to all of its modules. */
@Global()
@Module({})
export class SettingsModule {
  static forRoot({ secretKey, previousSecretKey, publicUrl: url, ...options }: ConsoleOptions): DynamicModule {
    const publicUrl = url.replace(/\/{1,8}$/, '');
    const secrets = new SecretBox(secretKey, previousSecretKey);
    const providers = [
      { provide: PUBLIC_URL, useValue: publicUrl },
      { provide: PublicUrlTls, useClass: PublicUrlTls },
      { provide: SecretBox, useValue: secrets },
      { provide: SessionCookie, useValue: new SessionCookie(secrets.derive('session cookies'), publicUrl) },
      { provide: DeviceCookie, useValue: new DeviceCookie(secrets.derive('device cookies'), publicUrl) },
      { provide: PendingCookie, useValue: new PendingCookie(secrets.derive('pending sign-ins'), publicUrl) },
      { provide: PasskeyCookie, useValue: new PasskeyCookie(secrets.derive('passkeys'), publicUrl) },
      { provide: SESSION_DAYS, useValue: options.sessionDays ?? DEFAULT_SESSION_DAYS },
      { provide: SECOND_FACTOR_POLICY, useValue: options.secondFactor ?? 'nobody' },
      { provide: OIDC_SETTINGS, useValue: options.oidc ?? null },
      { provide: SITE_POLICY, useValue: options.testVisits ?? { allowPrivateAddresses: false } },
      { provide: CHANNEL_POLICY, useValue: options.alertChannels ?? { allowPrivateAddresses: false } },
      { provide: MAIL_SETTINGS, useValue: options.mail ?? null },
      { provide: ROBOTS_REFRESH_HOURS, useValue: options.robotsRefreshHours ?? 0 },
      { provide: NETWORK_FILES, useValue: options.networks ?? {} },
      { provide: READING_LIMITS, useValue: options.limits ?? DEFAULT_READING_LIMITS },
      { provide: RULES_SERVICE, useValue: options.rules ?? null },
      { provide: WEB_ROOT, useValue: options.webRoot },
    ];
    return { module: SettingsModule, providers, exports: providers.map(({ provide }) => provide) };
  }
}
