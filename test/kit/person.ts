import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { ProjectRole } from '#libs/contracts';
import { BootstrapRepository } from '../../apps/console/src/bootstrap.repository.js';
import type { Answer } from './app.js';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Everybody has an address of their own, as attempts are counted by it. After 131,072 they come again. */
let addresses = 0;

function nextAddress(): string {
  const number = addresses++;
  return `198.${18 + ((number >> 16) & 1)}.${(number >> 8) & 255}.${number & 255}`;
}

/** Somebody with a browser: keeps cookies, and asks from the dashboard's own pages. */
export class Person {
  readonly cookies = new Map<string, string>();
  /** As a proxy in front says. */
  address = nextAddress();

  constructor(private readonly nest: NestFastifyApplication) {}

  /** Makes an administrator, as the environment of a first start does, and signs them in. */
  static async administrator(nest: NestFastifyApplication, email: string, password: string): Promise<Person> {
    await nest.get(BootstrapRepository).bootstrap({ administrator: { email, password } });
    const administrator = new Person(nest);
    expect((await administrator.signIn(email, password)).status).toBe(200);
    return administrator;
  }

  /** Somebody with a new account, who comes to a project by an invitation. */
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

  /** @param headers beside, or instead of, what a browser sends; blank ones are left out. */
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

  /** What a browser sends. @param headers beside or instead; blank ones are left out. */
  headers(headers: Record<string, string> = {}): Record<string, string> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const all = { cookie, 'sec-fetch-site': 'same-origin', 'x-forwarded-for': this.address, ...headers };
    return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''));
  }

  signIn(email: string, password: string): Promise<Answer> {
    return this.call('POST', '/session', { email, password });
  }

  /** Of another browser of the same person. */
  copy(): Person {
    const other = new Person(this.nest);
    for (const [name, value] of this.cookies) other.cookies.set(name, value);
    return other;
  }

  /** Stores the cookies of a response, as a browser does. */
  keepCookies({ 'set-cookie': cookies = [] }: { 'set-cookie'?: string | string[] }): void {
    for (const cookie of [cookies].flat()) this.keep(cookie);
  }

  private keep(cookie: string): void {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
    if (/;\s*max-age=0\b/i.test(cookie)) this.cookies.delete(name);
    else this.cookies.set(name, value);
  }
}
