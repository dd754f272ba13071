const { TARGET_ADMIN_EMAIL: email, TARGET_ADMIN_PASSWORD: password } = process.env;

/**
 * Account that the tests sign in with. Test instances create it from environment variables. Deployments already have
 * it.
 */
export const ADMIN = { email: email ?? 'ada@example.com', password: password ?? 'correct horse battery staple' };
export const ADMIN_ENV = { ADMIN_EMAIL: ADMIN.email, ADMIN_PASSWORD: ADMIN.password };

export interface Session {
  name: string;
  value: string;
  url: string;
}

export async function signIn(url: string): Promise<Session> {
  const response = await fetch(`${url}/api/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify(ADMIN),
  });
  const [, name, value] = /^([^=]+)=([^;]+)/.exec(response.headers.getSetCookie()[0] ?? '') ?? [];
  if (name === undefined || value === undefined)
    throw new Error(`Couldn't sign in: the server responded with ${response.status}`);
  return { name, value, url };
}
