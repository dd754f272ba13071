import { Module } from '@nestjs/common';
import { MailSender } from './mail.sender.js';

/** Mail, by the operator's server. */
@Module({ providers: [MailSender], exports: [MailSender] })
export class MailModule {}
