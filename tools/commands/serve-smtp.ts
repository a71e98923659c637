import type { MailTarget, SmtpDoor } from '../../engine/index.js';
import { Exit, Failure, type Output } from '../command/output.js';
import { cannotListen } from '../command/system-failure.js';
import type { ServeOptions } from './serve-here.js';

/**
 * Takes mail by SMTP for the first of these that takes any, and prints where; undefined: the option was not given.
 * @throws Failure when none takes mail, or the port is not free
 */
export async function serveSmtp(
  targets: readonly MailTarget[],
  { smtp: port, host, json, quiet }: ServeOptions,
  output: Output,
): Promise<SmtpDoor | undefined> {
  if (port === undefined) return undefined;
  const target = targets.find(({ engine }) => engine.pack.smtp() !== null);
  if (target === undefined)
    throw new Failure(
      Exit.cannotRun,
      'no_mail',
      'no pack of this server takes mail by SMTP',
      'A pack that does names an operation in its pack.yaml: `smtp`. Of those that come with the sandbox, mail does.',
    );
  const { openSmtp } = await import('../../engine/index.js');
  const onDefect = (error: unknown, what: string): void =>
    output.error(`defect in ${what}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  const door = await openSmtp(target, { port, host, onDefect }).catch((error: unknown) => {
    throw cannotListen(error, port, host) ?? error;
  });
  if (!quiet && !json)
    output.print(`${output.styled('dim', 'smtp ')} ${host}:${door.port}  user sandbox, password the key`);
  return door;
}
