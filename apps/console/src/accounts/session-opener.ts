import type { BetterAuthPlugin } from 'better-auth';
import { createAuthEndpoint } from 'better-auth/api';
import { setSessionCookie } from 'better-auth/cookies';

/**
 * Returns a plugin whose `openSession` opens a session without asking anything, as all others are opened. Nothing serves
 * it: it is called from here alone.
 *
 * @param userOf whose session, of what runs now.
 */
export const sessionOpener = (userOf: () => string | null) =>
  ({
    id: 'session-opener',
    endpoints: {
      openSession: createAuthEndpoint.serverOnly({ method: 'POST' }, async (ctx) => {
        const { internalAdapter } = ctx.context;
        const user = await internalAdapter.findUserById(userOf() ?? '');
        const session = user && (await internalAdapter.createSession(user.id));
        if (!session) throw new Error('the account of a sign-in is gone');
        await setSessionCookie(ctx, { session, user });
      }),
    },
  }) satisfies BetterAuthPlugin;
