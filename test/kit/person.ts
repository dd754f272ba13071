import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { ProjectRole } from '#libs/contracts';
import { BootstrapRepository } from '../../apps/console/src/bootstrap.repository.js';
import type { Answer } from './app.js';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * Number of people so far. Each gets a different address, because attempts are limited by address. Addresses repeat
 * after 131,072 people.
 */
let addresses = 0;

function nextAddress(): string {
  const number = addresses++;
  return `198.${18 + ((number >> 16) & 1)}.${(number >> 8) & 255}.${number & 255}`;
}

/** Person with a browser that keeps cookies and sends requests from the dashboard. */
export class Person {
  readonly cookies = new Map<string, string>();
  /** Client address, as reported by a proxy. */
  address = nextAddress();

  constructor(private readonly nest: NestFastifyApplication) {}

  /** Creates an administrator, like the environment variables do at first start, and signs them in. */
  static async administrator(nest: NestFastifyApplication, email: string, password: string): Promise<Person> {
    await nest.get(BootstrapRepository).bootstrap({ administrator: { email, password } });
    const administrator = new Person(nest);
    expect((await administrator.signIn(email, password)).status).toBe(200);
    return administrator;
  }

  /** Invites a new person to a project. They create an account and accept. */
  async invite(
    projectId: string,
    role: ProjectRole,
    account: { name: string; email: string; password: string },
  ): Promise<Person & { id: string }> {
    const { body } = await this.call('POST', `/projects/${projectId}/invitations`, { role });
    const person = new Person(this.nest);
    const accepted = await person.call('POST', new URL(body.url).pathname, account);
    expect([accepted.status, accepted.body.project_id]).toEqual([200, projectId]);
    return Object.assign(person, { id: accepted.body.user.id as string });
  }

  /** @param headers Headers to add or replace. Empty ones are removed. */
  async call(method: Method, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    const answer = await this.nest.inject({
      method,
      url: `/api${path}`,
      headers: {
        ...this.headers(headers),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { payload: JSON.stringify(body) }),
    });
    this.keepCookies(answer.headers);
    return {
      status: answer.statusCode,
      headers: answer.headers,
      body: /json/.test(String(answer.headers['content-type'])) ? JSON.parse(answer.payload) : null,
      text: answer.payload,
    };
  }

  /** Returns the headers that a browser sends. @param headers Headers to add or replace. Empty ones are removed. */
  headers(headers: Record<string, string> = {}): Record<string, string> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const all = { cookie, 'sec-fetch-site': 'same-origin', 'x-forwarded-for': this.address, ...headers };
    return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''));
  }

  signIn(email: string, password: string): Promise<Answer> {
    return this.call('POST', '/session', { email, password });
  }

  /** Returns a person with the same cookies and another address. */
  copy(): Person {
    const other = new Person(this.nest);
    for (const [name, value] of this.cookies) other.cookies.set(name, value);
    return other;
  }

  keepCookies({ 'set-cookie': cookies = [] }: { 'set-cookie'?: string | string[] }): void {
    for (const cookie of [cookies].flat()) this.keep(cookie);
  }

  private keep(cookie: string): void {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
    if (/;\s*max-age=0\b/i.test(cookie)) this.cookies.delete(name);
    else this.cookies.set(name, value);
  }
}
