// Edits the draft of one campaign: saves it as it is typed, keeps it in the browser until then, and merges what others save.

import type { ErrorDetail } from '../../contract/errors.ts'
import type { CampaignAnswer, SavedCampaignAnswer } from '../../contract/resources/campaign.ts'
import { ApiFailure } from '../api/client.ts'
import { EditHistory } from './edit-history.ts'
import { setAt } from './edits.ts'
import type { KeptDrafts } from './kept-drafts.ts'
import { isSame, type MergeConflict, mergeDrafts } from './merge.ts'
import type { Draft, Path } from './step-tree.ts'

/** From the last key to the save, and at most from the first one (ms). */
const PAUSE_MS = 700
const LONGEST_MS = 1800
/** Pauses before the next attempt while the server is out of reach (ms). */
const RETRIES_MS = [2000, 5000, 10_000, 20_000]

export type SaveState =
  | { kind: 'saved' }
  | { kind: 'unsaved' }
  | { kind: 'saving' }
  /** The server refuses the draft as it is: it is kept in the browser alone. */
  | { kind: 'faulty' }
  | { kind: 'failed'; error: unknown }
  /** Others have changed the same values. */
  | { kind: 'conflict'; conflicts: readonly MergeConflict[] }

/** Which value stays, by the name of the conflict; mine without an entry. */
export type Choices = ReadonlyMap<string, 'mine' | 'theirs'>

/** Shows each change of the session. */
interface Host {
  requestUpdate(): void
}

interface SessionDeps {
  read(): Promise<CampaignAnswer>
  /** @throws ApiFailure */
  write(draft: Draft, revision: number): Promise<SavedCampaignAnswer>
  kept: KeptDrafts
  mayChange: boolean
}

export class DraftSession {
  readonly #host: Host
  readonly #deps: SessionDeps
  /** What the server has, as far as this page knows. */
  #base: Draft
  #campaign: CampaignAnswer
  #history: EditHistory
  #timer: ReturnType<typeof setTimeout> | undefined
  #unsavedSince = 0
  #attempts = 0
  #saving: Promise<void> | undefined
  state: SaveState = { kind: 'saved' }
  /** Of the draft that the server refused last. */
  faults: readonly ErrorDetail[] = []
  /** Of the last save of this page. */
  warnings: SavedCampaignAnswer['warnings'] = []
  /** Whether a draft of an earlier visit was found in the browser. */
  isRestored = false

  private constructor(host: Host, deps: SessionDeps, campaign: CampaignAnswer) {
    this.#host = host
    this.#deps = deps
    this.#campaign = campaign
    this.#base = campaign.draft
    this.#history = new EditHistory(campaign.draft)
  }

  /** Reads the campaign, and takes in what the browser has kept of an earlier visit. @throws ApiFailure */
  static async open(host: Host, deps: SessionDeps): Promise<DraftSession> {
    const [campaign, kept] = await Promise.all([deps.read(), deps.mayChange ? deps.kept.read() : undefined])
    const session = new DraftSession(host, deps, campaign)
    if (kept !== undefined && !isSame(kept.draft, campaign.draft)) {
      session.isRestored = true
      session.#base = kept.base
      session.#history = new EditHistory(kept.base)
      session.#edit(kept.draft, 'What was not saved')
      session.#takeIn(campaign)
    }
    return session
  }

  get campaign(): CampaignAnswer {
    return this.#campaign
  }

  get draft(): Draft {
    return this.#history.draft
  }

  get undoable(): string | undefined {
    return this.#history.undoable
  }

  get redoable(): string | undefined {
    return this.#history.redoable
  }

  /** @param words what the edit did @param value undefined removes the key */
  change(path: Path, value: unknown, words: string): void {
    this.edit(setAt(this.draft, path, value), words, JSON.stringify(path))
  }

  edit(draft: Draft, words: string, field?: string): void {
    if (this.#deps.mayChange) this.#edit(draft, words, field)
  }

  undo(): void {
    if (this.#history.undo()) this.#changed()
  }

  redo(): void {
    if (this.#history.redo()) this.#changed()
  }

  /** Saves now. @returns whether the server has the draft as it is shown */
  async flush(): Promise<boolean> {
    clearTimeout(this.#timer)
    await this.#saving
    if (!isSame(this.draft, this.#base)) await this.#save()
    return this.state.kind === 'saved'
  }

  /** Takes in what others have saved meanwhile. @throws ApiFailure */
  async refresh(): Promise<void> {
    if (this.#saving !== undefined || this.state.kind === 'conflict') return
    const { revision } = this.#campaign
    const theirs = await this.#deps.read()
    // A save that began meanwhile has the newer answer.
    if (this.#saving === undefined && this.#campaign.revision === revision) this.take(theirs)
  }

  /** Takes in a newer answer of the server, such as that of a publication. */
  take(theirs: CampaignAnswer): void {
    if (theirs.revision === this.#campaign.revision) return
    this.#takeIn(theirs)
    this.#host.requestUpdate()
  }

  /** Ends a conflict. */
  resolve(choices: Choices): void {
    const theirs = this.#campaign.draft
    const merged = mergeDrafts(this.#base, this.draft, theirs)
    this.#rebase(theirs)
    // From the last to the first: a removed step moves those after it.
    const draft = merged.conflicts
      .toReversed()
      .reduce(
        (whole, { name, path, mine, theirs: other }) =>
          setAt(whole, path, choices.get(name) === 'theirs' ? other : mine),
        merged.draft,
      )
    this.state = { kind: 'unsaved' }
    this.#history.edit(draft, 'The choice between both', { at: Date.now() })
    this.#changed()
  }

  /** Ends the work of this page: what is not saved stays in the browser. */
  close(): void {
    clearTimeout(this.#timer)
    if (this.state.kind === 'unsaved') void this.#save()
  }

  #edit(draft: Draft, words: string, field?: string): void {
    if (draft === this.draft) return
    this.#history.edit(draft, words, { at: Date.now(), ...(field !== undefined && { field }) })
    this.#changed()
  }

  #changed(): void {
    const { draft } = this
    this.#host.requestUpdate()
    if (isSame(draft, this.#base)) {
      clearTimeout(this.#timer)
      void this.#deps.kept.forget()
      this.faults = []
      if (this.state.kind !== 'conflict') this.state = { kind: 'saved' }
      return
    }
    void this.#deps.kept.keep({ base: this.#base, revision: this.#campaign.revision, draft })
    if (this.state.kind === 'conflict') return
    if (this.state.kind !== 'unsaved') this.#unsavedSince = Date.now()
    this.state = { kind: 'unsaved' }
    this.#attempts = 0
    this.#plan(Math.max(0, Math.min(PAUSE_MS, this.#unsavedSince + LONGEST_MS - Date.now())))
  }

  #plan(afterMs: number): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#save(), afterMs)
  }

  async #save(): Promise<void> {
    if (this.#saving !== undefined || this.state.kind === 'conflict') return
    this.#saving = this.#send(this.draft)
    await this.#saving
    this.#saving = undefined
    this.#host.requestUpdate()
    // What was typed while the answer was on its way.
    if (this.state.kind === 'unsaved') this.#plan(PAUSE_MS)
  }

  async #send(draft: Draft): Promise<void> {
    this.state = { kind: 'saving' }
    this.#host.requestUpdate()
    try {
      const { warnings, ...campaign } = await this.#deps.write(draft, this.#campaign.revision)
      this.#campaign = campaign
      this.warnings = warnings
      this.#base = draft
      this.faults = []
      this.#attempts = 0
      this.#settle({ kind: 'saved' }, draft)
      if (this.draft === draft) await this.#deps.kept.forget()
    } catch (error) {
      await this.#fail(error, draft)
    }
  }

  /** What was typed meanwhile is not saved. */
  #settle(state: SaveState, sent: Draft): void {
    this.state = this.draft === sent ? state : { kind: 'unsaved' }
    this.#unsavedSince = Date.now()
  }

  async #fail(error: unknown, sent: Draft): Promise<void> {
    const { status = 0, body = {} } = error instanceof ApiFailure ? error : {}
    if (status === 409 && body.code === 'request/conflict') {
      const theirs = await this.#deps.read().catch(() => undefined)
      if (theirs !== undefined) return this.#takeIn(theirs)
    }
    if (status === 400 || status === 404 || status === 409) {
      this.faults = body.details ?? []
      this.#settle(this.faults.length > 0 ? { kind: 'faulty' } : { kind: 'failed', error }, sent)
      return
    }
    this.#settle({ kind: 'failed', error }, sent)
    this.#plan(RETRIES_MS[Math.min(this.#attempts++, RETRIES_MS.length - 1)] as number)
  }

  #takeIn(theirs: CampaignAnswer): void {
    const { conflicts } = mergeDrafts(this.#base, this.draft, theirs.draft)
    this.#campaign = theirs
    if (conflicts.length > 0) {
      clearTimeout(this.#timer)
      this.state = { kind: 'conflict', conflicts }
      return
    }
    this.#rebase(theirs.draft)
    this.#changed()
  }

  /** Puts what others have saved below the own edits, so that undo takes back those alone. */
  #rebase(theirs: Draft): void {
    const base = this.#base
    this.#history.rebase((draft) => mergeDrafts(base, draft, theirs).draft)
    this.#base = theirs
  }
}
