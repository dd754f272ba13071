import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The subject of an OpenID provider's login begins with its issuer and `#`, which no issuer holds (OpenID Connect
 * Discovery 1.0 section 3). Of earlier logins the issuer is not known: it stays empty, so that none opens an account by
 * itself.
 */
export class LoginIssuers1763773000000 implements MigrationInterface {
  name = 'LoginIssuers1763773000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`UPDATE user_logins SET subject = '#' || subject WHERE provider <> 'credential'`);
    await runner.query(`
      ALTER TABLE user_logins ADD CONSTRAINT user_logins_issuer CHECK (provider = 'credential' OR strpos(subject, '#') > 0)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE user_logins DROP CONSTRAINT user_logins_issuer`);
    // Without issuers one of several logins with the same subject can stay: none does.
    await runner.query(`
      DELETE FROM user_logins l USING user_logins o
      WHERE l.provider <> 'credential' AND o.provider = l.provider AND o.id <> l.id
        AND substr(o.subject, strpos(o.subject, '#') + 1) = substr(l.subject, strpos(l.subject, '#') + 1)`);
    await runner.query(`
      UPDATE user_logins SET subject = substr(subject, strpos(subject, '#') + 1) WHERE provider <> 'credential'`);
  }
}
