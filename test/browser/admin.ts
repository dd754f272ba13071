const { TARGET_ADMIN_EMAIL: email, TARGET_ADMIN_PASSWORD: password } = process.env;

/**
 * Account that the tests sign in with. A test instance creates it from its environment; a deployment already has it.
 */
export const ADMIN = { email: email ?? 'ada@example.com', password: password ?? 'correct horse battery staple' };
export const ADMIN_ENV = { ADMIN_EMAIL: ADMIN.email, ADMIN_PASSWORD: ADMIN.password };

export interface Session {
  name: string;
  value: string;
  url: string;
}

export async function sessionAt(url: string): Promise<Session> {
  const response = await fetch(`${url}/api/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify(ADMIN),
  });
  const [, name, value] = /^([^=]+)=([^;]+)/.exec(response.headers.getSetCookie()[0] ?? '') ?? [];
  if (name === undefined || value === undefined) throw new Error(`no session: ${response.status}`);
  return { name, value, url };
}
