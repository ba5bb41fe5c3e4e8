// Creates the tables of the users of an environment: profiles, topics, widget sessions, preferences.

export const users: string[] = [
  // The same as JSON, so that a profile is read with them; null: none.
  `CREATE TABLE app_user (environment_id INTEGER NOT NULL, user_no IDENTITY, user_id TEXT NOT NULL, email TEXT,
    name TEXT, locale TEXT, time_zone TEXT, attributes TEXT NOT NULL, created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL, external_ids TEXT, email_search TEXT, name_search TEXT,
    PRIMARY KEY (environment_id, user_no))`,
  `CREATE UNIQUE INDEX app_user_by_id ON app_user (environment_id, user_id)`,
  // Folded (`foldText`). Users without an e-mail address or a name cost nothing here.
  `CREATE INDEX app_user_by_email ON app_user (environment_id, email_search, user_no) WHERE email_search IS NOT NULL`,
  `CREATE INDEX app_user_by_name ON app_user (environment_id, name_search, user_no) WHERE name_search IS NOT NULL`,

  `CREATE TABLE external_id (environment_id INTEGER NOT NULL, system TEXT NOT NULL, value TEXT NOT NULL,
    user_no INTEGER NOT NULL, PRIMARY KEY (environment_id, system, value)) CLUSTERED`,
  `CREATE INDEX external_id_of_user ON external_id (user_no)`,

  // content: JSON of `Preferences`.
  `CREATE TABLE user_preference (environment_id INTEGER NOT NULL, user_no INTEGER NOT NULL, content TEXT NOT NULL,
    updated_at INTEGER NOT NULL, PRIMARY KEY (environment_id, user_no)) CLUSTERED`,

  // subject: `user:<userId>`, or `address:` with a hash: a suppression list must not be a list of addresses.
  `CREATE TABLE suppression (environment_id INTEGER NOT NULL, subject TEXT NOT NULL, channel TEXT NOT NULL,
    reason TEXT NOT NULL, created_at INTEGER NOT NULL, PRIMARY KEY (environment_id, subject, channel)) CLUSTERED`,

  // A row once an environment has either: before that, no check is made.
  `CREATE TABLE send_rules_used (environment_id INTEGER PRIMARY KEY, since INTEGER NOT NULL)`,

  `CREATE TABLE topic (environment_id INTEGER NOT NULL, topic_no IDENTITY, topic_key TEXT NOT NULL,
    last_place INTEGER NOT NULL, created_at INTEGER NOT NULL, PRIMARY KEY (environment_id, topic_no))`,
  `CREATE UNIQUE INDEX topic_by_key ON topic (environment_id, topic_key)`,

  `CREATE TABLE topic_subscriber (environment_id INTEGER NOT NULL, topic_no INTEGER NOT NULL, place INTEGER NOT NULL,
    user_no INTEGER NOT NULL, PRIMARY KEY (environment_id, topic_no, place)) CLUSTERED`,
  `CREATE UNIQUE INDEX topic_subscriber_once ON topic_subscriber (user_no, topic_no)`,

  `CREATE TABLE session (environment_id INTEGER NOT NULL, id INTEGER NOT NULL, user_no INTEGER NOT NULL,
    user_id TEXT NOT NULL, credential TEXT NOT NULL, front_key_id INTEGER NOT NULL, created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL, ended_at INTEGER, PRIMARY KEY (environment_id, id))`,
  `CREATE INDEX session_of_user ON session (user_no)`,
  `CREATE INDEX session_of_credential ON session (environment_id, credential)`,
  `CREATE INDEX session_of_front_key ON session (environment_id, front_key_id)`,
  `CREATE INDEX session_by_expiry ON session (expires_at)`,

  // Users whose data are being removed: an interrupted erasure continues at the next start.
  `CREATE TABLE erasure (environment_id INTEGER NOT NULL, user_no INTEGER NOT NULL, user_id TEXT NOT NULL,
    begun_at INTEGER NOT NULL, PRIMARY KEY (environment_id, user_no))`,
  `CREATE INDEX erasure_by_begin ON erasure (begun_at)`,
]
