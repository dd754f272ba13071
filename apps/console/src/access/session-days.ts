import { integer } from '#libs/platform';

/** Injection token: days after which a session ends, however much it is used. */
export const SESSION_DAYS = Symbol('days of a session');

/** Settings of sessions; standalone has them, too. */
export const sessionSettings = {
  SESSION_MAX_DAYS: integer({ min: 1, max: 3_650 })({
    default: 90,
    desc: 'Days after which people have to sign in again, however much they use their session',
  }),
};
