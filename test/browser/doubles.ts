import type { BrowserContext, Route } from '@playwright/test';
import { ADMIN } from './admin.js';

/**
 * Answers in place of operations that the instance does not have, and only of those: accounts, and numbers of the last
 * hour. What the instance answers itself is never replaced.
 */
export async function installDoubles(context: BrowserContext, url: string, apiKey: string): Promise<void> {
  const has = async (path: string): Promise<boolean> => {
    const response = await fetch(url + path, { headers: { authorization: `Bearer ${apiKey}` } });
    return response.status !== 404;
  };
  if (!(await has('/api/session'))) await accounts(context, apiKey);
  if (!(await has('/api/project-summaries'))) await numbers(context, url, apiKey);
}

const json = (route: Route, status: number, body: unknown): Promise<void> =>
  route.fulfill({ status, json: body, contentType: status < 400 ? 'application/json' : 'application/problem+json' });

async function accounts(context: BrowserContext, apiKey: string): Promise<void> {
  const user = { id: 'a0000000-0000-4000-8000-000000000001', email: ADMIN.email, name: 'Ada Admin', is_admin: true };
  const invitations: { id: string; role: string; created_at: string; expires_at: string }[] = [];
  let isSignedIn = false;
  await context.route('**/api/**', (route) =>
    isSignedIn
      ? route.fallback({ headers: { ...route.request().headers(), authorization: `Bearer ${apiKey}` } })
      : json(route, 401, { title: 'The credential is not accepted', status: 401, detail: 'Sign in.' }),
  );
  await context.route('**/api/session', async (route) => {
    const method = route.request().method();
    if (method === 'GET') {
      return json(route, 200, { user: isSignedIn ? user : null, setup_required: false, oidc: { name: 'Example ID' } });
    }
    isSignedIn =
      method === 'POST' && (route.request().postDataJSON() as { password: string }).password === ADMIN.password;
    if (method === 'DELETE') return route.fulfill({ status: 204 });
    if (isSignedIn) return json(route, 200, { user });
    return json(route, 401, { status: 401, detail: 'The e-mail address or the password is wrong.' });
  });
  await context.route('**/api/session/password', (route) => route.fulfill({ status: 204 }));
  await context.route('**/api/projects/*/members', (route) =>
    json(route, 200, {
      members: [{ user_id: user.id, email: user.email, name: user.name, role: 'owner' }],
      invitations,
    }),
  );
  await context.route('**/api/projects/*/invitations', (route) => {
    const { role } = route.request().postDataJSON() as { role: string };
    const invitation = {
      id: 'b0000000-0000-4000-8000-000000000001',
      role,
      created_at: new Date().toISOString(),
      expires_at: new Date(Date.now() + 7 * 86_400_000).toISOString(),
    };
    invitations.push(invitation);
    return json(route, 201, { ...invitation, url: `${new URL(route.request().url()).origin}/invitations/agi_example` });
  });
}

async function numbers(context: BrowserContext, url: string, apiKey: string): Promise<void> {
  const wave = (index: number, most: number): number => Math.round(most * (0.6 + 0.4 * Math.sin(index / 3)));
  await context.route('**/api/project-summaries', async (route) => {
    const response = await fetch(`${url}/api/projects`, { headers: { authorization: `Bearer ${apiKey}` } });
    const { projects } = (await response.json()) as { projects: { id: string }[] };
    const summaries = projects.map(({ id }, index) => ({
      project_id: id,
      last_visit_at: index === 0 ? new Date(Date.now() - 12_000).toISOString() : null,
      visits: index === 0 ? 18_204 : 0,
      verified: index === 0 ? 9_311 : 0,
      verification_failed: index === 0 ? 212 : 0,
      hours: Array.from({ length: 24 }, (_, hour) => (index === 0 ? wave(hour, 900) : 0)),
    }));
    return json(route, 200, { summaries });
  });
  await context.route('**/api/projects/*/histogram', (route) => {
    const start = Math.floor(Date.now() / 60_000) - 59;
    const minutes = Array.from({ length: 60 }, (_, index) => ({
      time: new Date((start + index) * 60_000).toISOString(),
      visits: wave(index, 40),
      agents: wave(index, 30),
      verified: wave(index, 16),
      verification_failed: index % 9 === 0 ? 4 : 1,
    }));
    return json(route, 200, { minutes });
  });
}
