// Defines the port that finds the names behind ids, for lists that people read.

/** What has a name. A `layout` is a notification config by an environment of its organisation. */
export type NamedKind = 'user' | 'campaign' | 'campaign-key' | 'source' | 'integration' | 'layout' | 'config'

export interface Named {
  kind: NamedKind
  /** The environment that the thing belongs to; of a `config` the organisation. */
  scope: number
  /** The id on the wire of a user or source, the key of a `campaign-key`, the number of everything else. */
  id: string | number
}

/** @returns Null without a name, for an id of another scope, and for what is gone. */
export type NameOf = (named: Named) => string | null

export interface Names {
  /** Reads the names of a page at once: one query for each kind. */
  find(wanted: readonly Named[]): Promise<NameOf>
}
