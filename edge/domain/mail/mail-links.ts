// Declares how the addresses of our own routes in a mail are signed.

/** The mail that an address belongs to. */
export interface LinkedMail {
  environmentId: number
  messageId: number
}

export interface MailLinks {
  /** Address of the pixel. */
  open(mail: LinkedMail): string
  click(mail: LinkedMail, target: string): string
  unsubscribe(mail: LinkedMail): string
  /** Address of the page with the user's categories. */
  preferences(mail: LinkedMail): string
}

/** The addresses that a person follows for themselves: they are not tracked. */
export interface OwnLinks {
  unsubscribeUrl: string
  preferencesUrl: string
}

/**
 * Stand for them in the content of a mail until it is sent: paths, so that every check of links takes them.
 * @param mark Random and of one mail: a value that is printed cannot name it
 */
export const ownLinkMarks = (mark: string): OwnLinks => ({
  unsubscribeUrl: `/nc-link/${mark}/unsubscribe`,
  preferencesUrl: `/nc-link/${mark}/preferences`,
})
