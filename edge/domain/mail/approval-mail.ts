// Describes the mail to a person who can approve what another one asks to publish.

export interface ApprovalMail {
  to: string
  /** The e-mail address of the person who asks. */
  by: string
  campaign: string
  environment: string
  note: string | null
  /** The page of the campaign. */
  link: string
  locale: string | undefined
}
