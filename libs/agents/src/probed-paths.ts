/** Files and folders that a site shouldn't publish, but that vulnerability scanners request. In lower case. */
const SECRETS = [
  '/.env',
  '/.git/',
  '/.aws/',
  '/.ssh/',
  '/.svn/',
  '/wp-config.php',
  '/phpinfo.php',
  '/phpmyadmin',
  '/vendor/phpunit/',
];
/** Sign-in and setup pages of WordPress. Its public pages use other files, such as `/wp-admin/admin-ajax.php`. */
const SIGN_INS = ['/wp-login.php', '/wp-admin/install.php', '/wp-admin/setup-config.php', '/xmlrpc.php'];
const BACKUP_ENDINGS = ['.sql', '.sql.gz', '.bak', '.old', '/backup.zip', '/backup.tar.gz'];

/** Returns true for paths that vulnerability scanners typically request. People and crawlers rarely do. */
export function isProbedPath(path: string): boolean {
  const lower = path.toLowerCase();
  return (
    [...SECRETS, ...SIGN_INS].some((part) => lower.includes(part)) ||
    BACKUP_ENDINGS.some((ending) => lower.endsWith(ending))
  );
}
