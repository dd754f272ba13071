import { Module } from '@nestjs/common';
import { ConfirmationLimits } from './confirmation-limits.js';
import { MailSender } from './mail.sender.js';
import { MailServerController } from './mail-server.controller.js';
import { MailServerRepository } from './mail-server.repository.js';
import { MailServerService } from './mail-server.service.js';

@Module({
  controllers: [MailServerController],
  providers: [MailSender, MailServerRepository, MailServerService, ConfirmationLimits],
  exports: [MailSender, ConfirmationLimits],
})
export class MailModule {}
