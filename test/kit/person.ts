import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { ProjectRole } from '#libs/contracts';
import { BootstrapRepository } from '../../apps/console/src/bootstrap.repository.js';
import type { TestResponse } from './app.js';

export type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * Number of people created so far. Each person gets a different address, because sign-in attempts are limited per
 * address. Addresses are reused after 131,072 people.
 */
let personCount = 0;

function nextAddress(): string {
  const number = personCount++;
  return `198.${18 + ((number >> 16) & 1)}.${(number >> 8) & 255}.${number & 255}`;
}

/** Simulates a person in a browser that stores cookies and sends requests from the dashboard. */
export class Person {
  readonly cookies = new Map<string, string>();
  /** Client address reported by a proxy. */
  address = nextAddress();

  constructor(private readonly nest: NestFastifyApplication) {}

  /** Creates an administrator, as the environment variables do on the first start, and signs them in. */
  static async administrator(nest: NestFastifyApplication, email: string, password: string): Promise<Person> {
    await nest.get(BootstrapRepository).bootstrap({ administrator: { email, password } });
    const administrator = new Person(nest);
    expect((await administrator.signIn(email, password)).status).toBe(200);
    return administrator;
  }

  /** Invites a new person to a project. They create an account and accept the invitation. */
  async invite(
    projectId: string,
    role: ProjectRole,
    account: { name: string; email: string; password: string },
  ): Promise<Person & { id: string }> {
    const { body } = await this.call('POST', `/projects/${projectId}/invitations`, { role });
    const person = new Person(this.nest);
    const acceptance = await person.call('POST', new URL(body.url).pathname, account);
    expect([acceptance.status, acceptance.body.project_id]).toEqual([200, projectId]);
    return Object.assign(person, { id: acceptance.body.user.id as string });
  }

  /** @param headers Headers to add or replace. Empty headers are removed. */
  async call(
    method: Method,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<TestResponse> {
    const response = await this.nest.inject({
      method,
      url: `/api${path}`,
      headers: {
        ...this.headers(headers),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { payload: JSON.stringify(body) }),
    });
    this.storeCookies(response.headers);
    return {
      status: response.statusCode,
      headers: response.headers,
      body: /\bjson\b/.test(String(response.headers['content-type'])) ? JSON.parse(response.payload) : null,
      text: response.payload,
    };
  }

  /**
   * Returns the headers that a browser sends.
   *
   * @param headers Headers to add or replace. Empty headers are removed.
   */
  headers(headers: Record<string, string> = {}): Record<string, string> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const all = { cookie, 'sec-fetch-site': 'same-origin', 'x-forwarded-for': this.address, ...headers };
    return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''));
  }

  signIn(email: string, password: string): Promise<TestResponse> {
    return this.call('POST', '/session', { email, password });
  }

  /** Returns a person with the same cookies and a different address. */
  copy(): Person {
    const other = new Person(this.nest);
    for (const [name, value] of this.cookies) other.cookies.set(name, value);
    return other;
  }

  storeCookies({ 'set-cookie': cookies = [] }: { 'set-cookie'?: string | string[] }): void {
    for (const cookie of [cookies].flat()) this.storeCookie(cookie);
  }

  private storeCookie(cookie: string): void {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
    if (/;\s*max-age=0\b/i.test(cookie)) this.cookies.delete(name);
    else this.cookies.set(name, value);
  }
}
