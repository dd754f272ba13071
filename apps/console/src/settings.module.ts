import { type DynamicModule, Global, Module } from '@nestjs/common';
import type { ServiceClientOptions } from '#libs/catalog';
import { SecretBox } from '#libs/database';
import { CHANNEL_POLICY } from './alerts/channels/channel.sender.js';
import { MAIL_SETTINGS } from './alerts/channels/mail-settings.js';
import { DeviceCookie } from './access/device-cookie.js';
import { OidcCookie, PasskeyCookie, PendingCookie } from './access/pending-cookie.js';
import { SECOND_FACTOR_POLICY } from './access/second-factor-policy.js';
import { SESSION_DAYS } from './access/session-days.js';
import { SessionCookie } from './access/session-cookie.js';
import { OIDC_SETTINGS } from './accounts/oidc-settings.js';
import { SITE_POLICY } from './connecting/site-request.js';
import { CONSOLE_SETTINGS, type ConsoleSettings } from './console-settings.js';
import { defaultConsoleSettings } from './env.js';
import { NETWORK_FILES } from './networks/networks.service.js';
import { PUBLIC_URL } from './public-url.js';
import { PublicUrlTls } from './public-url-tls.js';
import { RULES_SERVICE } from './system/rules-health.service.js';
import { READING_LIMITS } from './visits/stream-limits.js';

export interface ConsoleOptions {
  /** 32 bytes, as hex or base64, that access tokens are encrypted with at rest, and sessions' cookies signed. */
  secretKey: string;
  /** Also accepted, while the key is rotated. */
  previousSecretKey?: string | undefined;
  /** True if the services communicate through Kafka. */
  hasQueue: boolean;
  /** Address under which this is reached. */
  publicUrl: string;
  /** Missing settings have their defaults. */
  settings?: Partial<ConsoleSettings>;
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
    const settings = { ...defaultConsoleSettings(), ...options.settings };
    const providers = [
      { provide: PUBLIC_URL, useValue: publicUrl },
      { provide: PublicUrlTls, useClass: PublicUrlTls },
      { provide: SecretBox, useValue: secrets },
      { provide: SessionCookie, useValue: new SessionCookie(secrets.derive('session cookies'), publicUrl) },
      { provide: DeviceCookie, useValue: new DeviceCookie(secrets.derive('device cookies'), publicUrl) },
      { provide: PendingCookie, useValue: new PendingCookie(secrets.derive('pending sign-ins'), publicUrl) },
      { provide: OidcCookie, useValue: new OidcCookie(secrets.derive('OpenID sign-ins'), publicUrl) },
      { provide: PasskeyCookie, useValue: new PasskeyCookie(secrets.derive('passkeys'), publicUrl) },
      { provide: CONSOLE_SETTINGS, useValue: settings },
      { provide: SESSION_DAYS, useValue: settings.SESSION_MAX_DAYS },
      { provide: SECOND_FACTOR_POLICY, useValue: settings.SECOND_FACTOR_REQUIRED },
      { provide: OIDC_SETTINGS, useValue: settings.oidc },
      { provide: SITE_POLICY, useValue: settings.testVisits },
      { provide: CHANNEL_POLICY, useValue: settings.alertChannels },
      { provide: MAIL_SETTINGS, useValue: settings.mail },
      { provide: NETWORK_FILES, useValue: settings.networks },
      { provide: READING_LIMITS, useValue: settings.limits },
      { provide: RULES_SERVICE, useValue: options.rules ?? null },
      { provide: WEB_ROOT, useValue: options.webRoot },
    ];
    return { module: SettingsModule, providers, exports: providers.map(({ provide }) => provide) };
  }
}
