import { Inject, Injectable } from '@nestjs/common';
import type { MailServer, MailServerChange } from '#libs/contracts';
import { invalidBody, ProblemError } from '#libs/platform';
import { isIP } from 'node:net';
import { CONSOLE_SETTINGS, type ConsoleSettings } from '../../console-settings.js';
import { MailServerRepository, type StoredMailServer } from './mail-server.repository.js';
import { isSender, type MailSettings } from './mail-settings.js';

/**
 * Mail server of this instance, from the `SMTP_*` variables or, if `SMTP_HOST` isn't set, from the database. The
 * database is read on each use, so changes take effect immediately in all processes.
 */
@Injectable()
export class MailServerService {
  constructor(
    @Inject(CONSOLE_SETTINGS) private readonly settings: Pick<ConsoleSettings, 'mail'>,
    private readonly repository: MailServerRepository,
  ) {}

  async isSet(): Promise<boolean> {
    return this.settings.mail !== null || (await this.repository.find()) !== null;
  }

  /**
   * Returns the connection settings, including the password, or null if no mail server is set.
   *
   * @throws {Error} with a message for users if the password can't be decrypted.
   */
  async find(): Promise<MailSettings | null> {
    if (this.settings.mail !== null) return this.settings.mail;
    const stored = await this.repository.find();
    if (stored === null) return null;
    try {
      return this.repository.open(stored);
    } catch (error) {
      throw new Error("The mail server's password can't be decrypted. An administrator must enter it again.", {
        cause: error,
      });
    }
  }

  /** Returns the settings without the password. */
  async describe(): Promise<MailServer> {
    const { mail } = this.settings;
    if (mail === null) return toMailServer(await this.repository.find());
    const { password, ...settings } = mail;
    return { source: 'environment', ...settings, has_password: password !== null };
  }

  /**
   * Stores a mail server.
   *
   * @param check Receives the current settings, and throws to prevent the change.
   * @throws {ProblemError} 409 if the mail server is set by environment variables, or 422 if a value is invalid.
   */
  async change(change: MailServerChange, check: (current: MailServer) => void): Promise<MailServer> {
    this.requireNoEnvironment();
    // IPv6 addresses are the only hosts with colons.
    if (change.host.includes(':') && isIP(change.host) === 0) {
      throw invalidBody('/host', 'must not contain a port. Enter it separately');
    }
    if (!isSender(change.from)) {
      throw invalidBody('/from', 'must be an email address, such as alerts@example.com, or Name <alerts@example.com>');
    }
    const stored = await this.repository.change(change, (current) => {
      check(toMailServer(current));
      requirePassword(change, current);
    });
    return toMailServer(stored);
  }

  /**
   * Removes the stored mail server. Returns false if there is none.
   *
   * @throws {ProblemError} 409 if the mail server is set by environment variables.
   */
  async remove(): Promise<boolean> {
    this.requireNoEnvironment();
    return this.repository.remove();
  }

  private requireNoEnvironment(): void {
    if (this.settings.mail === null) return;
    throw new ProblemError(
      'conflict',
      'The mail server is set by environment variables. Remove SMTP_HOST and restart the console to set it here.',
    );
  }
}

/** Prevents someone with an administrator's session from sending the stored password to their own server. */
function requirePassword({ user, password, ...change }: MailServerChange, stored: StoredMailServer | null): void {
  if (user === null || password !== undefined) return;
  if (stored?.user == null) throw invalidBody('/password', 'is required if a user is set');
  const isSameServer =
    stored.user === user &&
    stored.host === change.host &&
    stored.port === change.port &&
    stored.security === change.security;
  if (!isSameServer) {
    throw invalidBody('/password', 'is required again if the host, port, encryption or user changes');
  }
}

function toMailServer(stored: StoredMailServer | null): MailServer {
  if (stored === null) {
    return { source: null, host: null, port: 587, security: 'starttls', user: null, has_password: false, from: null };
  }
  const { password, ...settings } = stored;
  return { source: 'dashboard', ...settings, has_password: password !== null };
}
