import { Module } from '@nestjs/common';
import { MailSender } from './mail.sender.js';

@Module({ providers: [MailSender], exports: [MailSender] })
export class MailModule {}
