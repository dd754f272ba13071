import type { NodemailerError } from 'nodemailer';
import type { MailSettings } from './mail-settings.js';

/** Maximum number of characters of a mail server's response that are returned. */
const MAX_RESPONSE_LENGTH = 500;

/** Error from nodemailer. OpenSSL's errors have a `reason`, such as `wrong version number`. */
type MailFailure = NodemailerError & { reason?: string };

/** Explains to an administrator why a test email failed, and how to fix it. */
export function explainMailFailure(error: MailFailure, { host, port, security, user }: MailSettings): string {
  const { code, originalCode, command, responseCode, message } = error;
  const server = `${host}:${port}`;
  if (code === 'EDNS') return `The host name ${host} wasn't found. Check its spelling.`;
  if (originalCode === 'ECONNREFUSED') {
    return `${server} refused the connection. Check the host and port, and that the mail server is running.`;
  }
  if (code === 'ETIMEDOUT' || originalCode === 'ETIMEDOUT') {
    return `${server} didn't respond in time. Check the host, the port and any firewall. With port 465, the encryption must be TLS.`;
  }
  if (responseCode !== undefined && code === 'EAUTH') {
    return `The mail server rejected the login of ${user ?? 'no user'}. Check the user and password.`;
  }
  if (code === 'EAUTH') return "The mail server doesn't support signing in with a password. Remove the user.";
  if (command === 'MAIL FROM' && responseCode === 530) {
    return 'The mail server requires a login or encryption. Enter a user and password, or choose STARTTLS or TLS.';
  }
  if (command === 'MAIL FROM') return 'The mail server rejected the sender. Check the From address.';
  if (command === 'RCPT TO') return 'The mail server rejected your address. It may require a login to send to it.';
  if (command === 'STARTTLS' && responseCode !== undefined) {
    return `${server} doesn't support STARTTLS. Choose TLS, usually with port 465, or no encryption.`;
  }
  if (isTlsFailure(error)) {
    const advice =
      security === 'tls'
        ? "Check the server's certificate. If the server uses STARTTLS, as on port 587, choose STARTTLS."
        : "Check the server's certificate, or choose TLS, usually with port 465.";
    return `The encrypted connection to ${server} failed (${error.reason ?? message}). ${advice}`;
  }
  if (responseCode !== undefined) return `The mail server rejected the email with status ${responseCode}.`;
  if (code === 'EPROTOCOL' || code === 'ECONNECTION') {
    return `${server} closed the connection or isn't a mail server. Check the port. With port 465, the encryption must be TLS.`;
  }
  return `${server} is unreachable (${originalCode ?? code ?? 'unknown error'}). Check the host and port.`;
}

/** Returns the SMTP response, shortened. Null if the server sent none, or if it isn't a mail server. */
export function toSmtpResponse({ response, responseCode }: NodemailerError): string | null {
  return response === undefined || responseCode === undefined ? null : response.slice(0, MAX_RESPONSE_LENGTH);
}

const TLS_CODE_PREFIXES = ['ETLS', 'EPROTO', 'ERR_SSL', 'ERR_TLS', 'CERT', 'SELF_SIGNED', 'DEPTH_ZERO', 'UNABLE_TO_'];

/** Returns true for failed handshakes and for certificates that Node.js rejects. */
const isTlsFailure = ({ code = '', originalCode = code }: NodemailerError): boolean =>
  code === 'ETLS' ||
  TLS_CODE_PREFIXES.some((prefix) => originalCode.startsWith(prefix) && originalCode !== 'EPROTOCOL');
