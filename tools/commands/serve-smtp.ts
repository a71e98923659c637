import type { MailTarget, SmtpDoor } from '../../engine/index.js';
import { defectReporter, Exit, Failure, type Output } from '../command/output.js';
import { cannotListen } from '../command/system-failure.js';
import type { ServeOptions } from './serve-options.js';

/** Serves SMTP for the first pack that receives mail, and prints the address. @throws Failure if none does, or the port is taken */
export async function serveSmtp(
  targets: readonly MailTarget[],
  port: number,
  { host, json, quiet }: ServeOptions,
  output: Output,
): Promise<SmtpDoor> {
  const target = targets.find(({ engine }) => engine.pack.smtp() !== null);
  if (target === undefined)
    throw new Failure(
      Exit.cannotRun,
      'no_mail',
      'no pack of this server takes mail by SMTP',
      'A pack that does names an operation in its pack.yaml: `smtp`. Of those that come with the sandbox, mail does.',
    );
  const { openSmtp } = await import('../../engine/index.js');
  const door = await openSmtp(target, { port, host, onDefect: defectReporter(output) }).catch((error: unknown) => {
    throw cannotListen(error, port, host) ?? error;
  });
  if (!quiet && !json)
    output.print(`${output.styled('dim', 'smtp ')} ${host}:${door.port}  user sandbox, password the key`);
  return door;
}
