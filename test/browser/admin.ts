/** The account that the tests sign in with; the instance makes it from its environment. */
export const ADMIN = { email: 'ada@example.com', password: 'correct horse battery staple' };
export const ADMIN_ENV = { ADMIN_EMAIL: ADMIN.email, ADMIN_PASSWORD: ADMIN.password };
