import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import type { MailSettings } from '../../apps/console/src/alerts/channels/mail-settings.js';

export interface ReceivedMail {
  to: string[];
  text: string;
}

/** SMTP server on localhost that stores received mail. */
export class MailServer {
  readonly mails: ReceivedMail[] = [];
  isRejecting = false;

  private constructor(private readonly server: SMTPServer) {}

  static async start(): Promise<MailServer> {
    const smtp: SMTPServer = new SMTPServer({
      disabledCommands: ['STARTTLS', 'AUTH'],
      onMailFrom: (_address, _session, callback) =>
        callback(receiver.isRejecting ? new Error('Try again later') : null),
      onData: (stream, session, callback) => {
        const chunks: Buffer[] = [];
        stream
          .on('data', (chunk: Buffer) => chunks.push(chunk))
          .on('end', () => {
            const to = session.envelope.rcptTo.map(({ address }) => address);
            receiver.mails.push({ to, text: Buffer.concat(chunks).toString() });
            callback();
          });
      },
    });
    const receiver = new MailServer(smtp);
    await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  get settings(): MailSettings {
    const { port } = this.server.server.address() as AddressInfo;
    const from = 'Agent Traffic <alerts@example.com>';
    return { host: '127.0.0.1', port, security: 'none', user: null, password: null, from };
  }

  async dispose(): Promise<void> {
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }
}
