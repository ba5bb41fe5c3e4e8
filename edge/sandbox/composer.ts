// Composes mails in a sandbox, and signs their links afterwards: no key leaves this process.

import { randomUUID } from 'node:crypto'
import { takeDoubts } from '../campaign/expression/noted-doubts.ts'
import type { ComposeInput, MailComposer } from '../domain/mail/compose-mail.ts'
import type { MailLinks, OwnLinks } from '../domain/mail/mail-links.ts'
import type { Sandbox } from './sandbox.ts'

/** Longer links stay as they are, because a request has no room for their tokens. */
const MAX_TARGET_CHARS = 2048
/** Each one takes some 10 µs to be signed, where all tenants are served. Further links of a mail stay as they are. */
const MAX_TARGETS = 1000

export function createSandboxedComposer(sandbox: Sandbox, publicUrl: () => string, links: MailLinks): MailComposer {
  return {
    async compose(input) {
      const { environmentId, messageId } = input
      const of = { environmentId, messageId }
      // Nobody else knows it, so no content holds one.
      const mark = `link-${randomUUID()}-`
      const { mail, targets } = await sandbox.run(environmentId, 'compose', {
        mail: input,
        publicUrl: publicUrl(),
        openUrl: messageId === 0 ? '' : links.open(of),
        unsubscribeUrl: messageId === 0 ? '' : links.unsubscribe(of),
        preferencesUrl: messageId === 0 ? '' : links.preferences(of),
        mark,
      })
      if (targets.length === 0) return mail
      const signed = targets.map((target) => links.click(of, target))
      return { ...mail, html: mail.html.replace(marksOf(mark), (_, place: string) => signed[Number(place)] ?? '') }
    },
  }
}

/** Composes with marks in place of links, in the sandbox. `createComposer` makes a composer with these links. */
export function createMarkingCompose(
  createComposer: (links: MailLinks, publicUrl: () => string) => MailComposer,
): (input: MarkedInput) => Promise<{ mail: Awaited<ReturnType<MailComposer['compose']>>; targets: string[] }> {
  return async ({ mail, publicUrl, openUrl, unsubscribeUrl, preferencesUrl, mark }) => {
    const targets: string[] = []
    const links: MailLinks = {
      open: () => openUrl,
      click: (_, target) =>
        target.length > MAX_TARGET_CHARS || targets.length === MAX_TARGETS
          ? target
          : `${mark}${targets.push(target) - 1}.`,
      unsubscribe: () => unsubscribeUrl,
      preferences: () => preferencesUrl,
    }
    // What tasks before it noted is not of this layout.
    takeDoubts()
    const composed = await createComposer(links, () => publicUrl).compose(mail)
    return { mail: { ...composed, layoutDoubts: takeDoubts() }, targets }
  }
}

interface MarkedInput extends OwnLinks {
  mail: ComposeInput
  publicUrl: string
  openUrl: string
  mark: string
}

/** The mark holds no character with a meaning. */
const marksOf = (mark: string) => new RegExp(`${mark}(\\d+)\\.`, 'g')
