const { TARGET_ADMIN_EMAIL: email, TARGET_ADMIN_PASSWORD: password } = process.env;

/** The account that the tests sign in with; the instance makes it from its environment, a deployment has it. */
export const ADMIN = { email: email ?? 'ada@example.com', password: password ?? 'correct horse battery staple' };
export const ADMIN_ENV = { ADMIN_EMAIL: ADMIN.email, ADMIN_PASSWORD: ADMIN.password };
