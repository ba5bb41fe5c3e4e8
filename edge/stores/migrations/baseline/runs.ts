// Creates the tables of campaigns and their runs.

export const runs: string[] = [
  // drains: an archived campaign lets its waiting runs finish. publish_request: JSON of `PublishRequest`.
  // search: name and key, folded.
  `CREATE TABLE campaign (environment_id INTEGER NOT NULL, id INTEGER NOT NULL, campaign_key TEXT NOT NULL,
    name TEXT NOT NULL, category TEXT, status TEXT NOT NULL, current_version INTEGER, draft TEXT NOT NULL,
    created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, drains INTEGER NOT NULL DEFAULT 0,
    revision INTEGER NOT NULL DEFAULT 0, resumed_at INTEGER, publish_state TEXT, publish_request TEXT,
    search TEXT NOT NULL, PRIMARY KEY (environment_id, id))`,
  `CREATE UNIQUE INDEX campaign_by_key ON campaign (environment_id, campaign_key)`,

  // texts: JSON, as they were when the version was published; null: it uses none. published_by: as in the audit log.
  `CREATE TABLE campaign_version (environment_id INTEGER NOT NULL, campaign_id INTEGER NOT NULL,
    version INTEGER NOT NULL, published_at INTEGER NOT NULL, definition TEXT NOT NULL, texts TEXT,
    published_by TEXT, note TEXT, PRIMARY KEY (environment_id, campaign_id, version))`,

  `CREATE TABLE run (environment_id INTEGER NOT NULL, id INTEGER NOT NULL, event_id INTEGER NOT NULL,
    campaign_id INTEGER NOT NULL, version INTEGER NOT NULL, branch TEXT, user_no INTEGER NOT NULL,
    user_id TEXT NOT NULL, state TEXT NOT NULL, state_reason TEXT, is_test INTEGER NOT NULL,
    correlation_id TEXT NOT NULL, started_at INTEGER NOT NULL, ended_at INTEGER, has_message INTEGER NOT NULL,
    trace TEXT NOT NULL, PRIMARY KEY (environment_id, id))`,
  // Runs with a message are found by the message: an index over all runs would cost a page for each event.
  `CREATE INDEX run_without_message ON run (user_no) WHERE has_message = 0`,
  `CREATE INDEX run_of_event ON run (event_id, id)`,

  // parked: it was due while its campaign was paused. timer_at: when its timer ends. due_at: when it may be claimed,
  // null while its campaign is paused. course: the stored run state.
  `CREATE TABLE run_wait (environment_id INTEGER NOT NULL, run_id INTEGER NOT NULL, campaign_id INTEGER NOT NULL,
    user_no INTEGER NOT NULL, wait_no INTEGER NOT NULL, step_id TEXT NOT NULL, awaits TEXT, timer_at INTEGER NOT NULL,
    due_at INTEGER, attempts INTEGER NOT NULL, fence INTEGER NOT NULL, parked INTEGER NOT NULL, course TEXT NOT NULL,
    error TEXT, crashes INTEGER NOT NULL DEFAULT 0, given_up_at INTEGER, PRIMARY KEY (environment_id, run_id))`,
  `CREATE INDEX run_wait_due ON run_wait (due_at, run_id) WHERE due_at IS NOT NULL`,
  `CREATE INDEX run_wait_of_campaign ON run_wait (campaign_id, run_id)`,
  `CREATE INDEX run_wait_of_user ON run_wait (user_no, run_id)`,
  `CREATE INDEX run_wait_in_turn ON run_wait (environment_id, due_at, run_id) WHERE due_at IS NOT NULL`,
  `CREATE INDEX run_wait_given_up ON run_wait (environment_id, given_up_at) WHERE given_up_at IS NOT NULL`,

  // Events that a waiting run has yet to read.
  `CREATE TABLE run_arrival (environment_id INTEGER NOT NULL, run_id INTEGER NOT NULL, event_id INTEGER NOT NULL,
    PRIMARY KEY (environment_id, run_id, event_id)) CLUSTERED`,
  `CREATE INDEX run_arrival_of_event ON run_arrival (event_id)`,

  // Names of events that published versions await: only those are looked up among the waits.
  `CREATE TABLE awaited_name (environment_id INTEGER NOT NULL, name TEXT NOT NULL,
    PRIMARY KEY (environment_id, name)) CLUSTERED`,

  // The user before the campaign: an erasure finds the rows by it. taken: requested places while some were free; most: the limit.
  `CREATE TABLE throttle_window (environment_id INTEGER NOT NULL, user_no INTEGER NOT NULL, campaign_id INTEGER NOT NULL,
    step_id TEXT NOT NULL, began_at INTEGER NOT NULL, ends_at INTEGER NOT NULL, taken INTEGER NOT NULL,
    most INTEGER NOT NULL, PRIMARY KEY (environment_id, user_no, campaign_id, step_id)) CLUSTERED`,
  `CREATE INDEX throttle_window_by_end ON throttle_window (ends_at)`,

  // The window that events join now; its row is deleted when it closes. run_id: the waiting run.
  `CREATE TABLE digest_window (environment_id INTEGER NOT NULL, user_no INTEGER NOT NULL, campaign_id INTEGER NOT NULL,
    version INTEGER NOT NULL, step_id TEXT NOT NULL, digest_key TEXT NOT NULL, run_id INTEGER NOT NULL,
    opened_at INTEGER NOT NULL, closes_at INTEGER NOT NULL, events INTEGER NOT NULL, event_bytes INTEGER NOT NULL,
    most INTEGER NOT NULL,
    PRIMARY KEY (environment_id, user_no, campaign_id, version, step_id, digest_key)) CLUSTERED`,
  `CREATE UNIQUE INDEX digest_window_of_run ON digest_window (run_id)`,

  // One row per event of a window, stored as long as the run that gathered them. joined_run_id: that event's own
  // run.
  `CREATE TABLE digest_event (environment_id INTEGER NOT NULL, run_id INTEGER NOT NULL, place INTEGER NOT NULL,
    event_id INTEGER NOT NULL, joined_run_id INTEGER NOT NULL, PRIMARY KEY (environment_id, run_id, place)) CLUSTERED`,
  // Retention checks whether a run still needs an old event.
  `CREATE INDEX digest_event_of_event ON digest_event (event_id)`,

  // Jobs that send and run again all of a filter, the newest of each environment. id: of the job; filter: as JSON, and
  // user_id the user in it; before_id: the last message or event that was looked at.
  `CREATE TABLE again_job (environment_id INTEGER NOT NULL, id INTEGER NOT NULL, kind TEXT NOT NULL, filter TEXT NOT NULL,
    user_id TEXT, version TEXT NOT NULL, begins_from TEXT NOT NULL, pace INTEGER NOT NULL, total INTEGER NOT NULL,
    actor TEXT NOT NULL, who TEXT NOT NULL, correlation_id TEXT NOT NULL, started_at INTEGER NOT NULL,
    done INTEGER NOT NULL, made INTEGER NOT NULL, refused INTEGER NOT NULL, before_id INTEGER, ended_at INTEGER,
    stopped_at INTEGER, PRIMARY KEY (environment_id, id)) CLUSTERED`,
]
