import { type DynamicModule, Global, Module } from '@nestjs/common';
import type { ServiceClientOptions } from '#libs/catalog';
import { SecretBox } from '#libs/database';
import { DeviceCookie } from './access/device-cookie.js';
import { OidcCookie, PasskeyCookie, PendingCookie } from './access/pending-cookie.js';
import { SessionCookie } from './access/session-cookie.js';
import { CONSOLE_SETTINGS, type ConsoleSettings } from './console-settings.js';
import { defaultConsoleSettings } from './env.js';
import { PUBLIC_URL } from './public-url.js';
import { PublicUrlTls } from './public-url-tls.js';
import { RULES_SERVICE } from './system/rules-health.service.js';

export interface ConsoleOptions {
  /** 32-byte key in hex or Base64 that encrypts stored secrets and signs cookies. */
  secretKey: string;
  /** Previous key, which is still accepted during a rotation. */
  previousSecretKey?: string | undefined;
  /** Whether the services communicate through Kafka. */
  hasQueue: boolean;
  publicUrl: string;
  settings?: Partial<ConsoleSettings>;
  /** The rules service's address and secret. Null if it runs in this process. */
  rules?: ServiceClientOptions | null;
  /** Folder that contains the dashboard's bundle. Without it, only the API is served. */
  webRoot?: string;
}

/** Injection token for {@link ConsoleOptions.webRoot}. */
export const WEB_ROOT = Symbol('folder of the dashboard');

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
      { provide: RULES_SERVICE, useValue: options.rules ?? null },
      { provide: WEB_ROOT, useValue: options.webRoot },
    ];
    return { module: SettingsModule, providers, exports: providers.map(({ provide }) => provide) };
  }
}
