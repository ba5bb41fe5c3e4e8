// Lists the routes that take an sdkSecretKey. Written by `npx vitest run -u --project deep examples/generated-client`.

export interface paths {
    "/v1/events/track": {
        /** Track an event */
        post: {
            parameters: {
                header?: {
                    "Idempotency-Key"?: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["TrackRequest"];
                };
            };
            responses: {
                /** @description The event is on disk. */
                202: {
                    content: {
                        "application/json": components["schemas"]["TrackAnswer"];
                    };
                };
            };
        };
    };
    "/v1/events/track/batch": {
        /** Track 1 to 1,000 events */
        post: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["TrackBatchRequest"];
                };
            };
            responses: {
                /** @description Each event is on disk or has an error, in the order of the request. */
                202: {
                    content: {
                        "application/json": components["schemas"]["TrackBatchAnswer"];
                    };
                };
            };
        };
    };
    "/v1/events": {
        /** List accepted events, including those that matched no campaign */
        get: {
            parameters: {
                query?: {
                    name?: string;
                    userId?: string;
                    correlationId?: string;
                    from?: string;
                    to?: string;
                    limit?: number;
                    cursor?: string;
                };
            };
            responses: {
                /** @description List accepted events, including those that matched no campaign */
                200: {
                    content: {
                        "application/json": components["schemas"]["TrackedEventPage"];
                    };
                };
            };
        };
    };
    "/v1/events/{eventId}": {
        /** Read an event with its campaigns, runs and messages */
        get: {
            parameters: {
                path: {
                    eventId: string;
                };
            };
            responses: {
                /** @description Read an event with its campaigns, runs and messages */
                200: {
                    content: {
                        "application/json": components["schemas"]["TrackedEvent"];
                    };
                };
            };
        };
    };
    "/v1/events/{eventId}/runs": {
        /** List the runs of an event */
        get: {
            parameters: {
                query?: {
                    limit?: number;
                    cursor?: string;
                };
                path: {
                    eventId: string;
                };
            };
            responses: {
                /** @description List the runs of an event */
                200: {
                    content: {
                        "application/json": components["schemas"]["RunPage"];
                    };
                };
            };
        };
    };
    "/v1/runs/{runId}": {
        /** Read a run's trace */
        get: {
            parameters: {
                path: {
                    runId: string;
                };
            };
            responses: {
                /** @description Read a run's trace */
                200: {
                    content: {
                        "application/json": components["schemas"]["Run"];
                    };
                };
            };
        };
    };
    "/v1/event-names": {
        /** List the names of the events that came, newest first; with `q` those that contain it */
        get: {
            parameters: {
                query?: {
                    /** @description A part of the name, in any case. */
                    q?: string;
                    limit?: number;
                    cursor?: string;
                };
            };
            responses: {
                /** @description List the names of the events that came, newest first; with `q` those that contain it */
                200: {
                    content: {
                        "application/json": components["schemas"]["EventNamePage"];
                    };
                };
            };
        };
    };
    "/v1/event-names/{name}/properties": {
        /** Read the properties of the events of a name, as the service learned them from samples */
        get: {
            parameters: {
                path: {
                    name: string;
                };
            };
            responses: {
                /** @description Read the properties of the events of a name, as the service learned them from samples */
                200: {
                    content: {
                        "application/json": components["schemas"]["EventProperties"];
                    };
                };
            };
        };
    };
    "/v1/runs/cancel": {
        /** Cancel the waiting runs of a user in a campaign */
        post: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["CancelRuns"];
                };
            };
            responses: {
                /** @description Cancel the waiting runs of a user in a campaign */
                200: {
                    content: {
                        "application/json": components["schemas"]["CancelledRuns"];
                    };
                };
            };
        };
    };
    "/v1/deliveries": {
        /** List deliveries, newest first */
        get: {
            parameters: {
                query?: {
                    campaignId?: string;
                    userId?: string;
                    channel?: "inbox" | "email" | "nc";
                    status?: "scheduled" | "queued" | "sending" | "sent" | "delivered" | "failed" | "bounced" | "skipped" | "cancelled";
                    statusReason?: string;
                    engagement?: "none" | "read" | "opened" | "clicked";
                    /** @description As in the record; empty: messages before any branch. */
                    branch?: string;
                    window?: "24h" | "7d" | "30d" | "all";
                    from?: string;
                    to?: string;
                    messageId?: string;
                    correlationId?: string;
                    eventId?: string;
                    limit?: number;
                    cursor?: string;
                };
            };
            responses: {
                /** @description List deliveries, newest first */
                200: {
                    content: {
                        "application/json": components["schemas"]["DeliveryPage"];
                    };
                };
            };
        };
    };
    "/v1/deliveries/export.csv": {
        /** The same records as CSV, streamed */
        get: {
            parameters: {
                query?: {
                    campaignId?: string;
                    userId?: string;
                    channel?: "inbox" | "email" | "nc";
                    status?: "scheduled" | "queued" | "sending" | "sent" | "delivered" | "failed" | "bounced" | "skipped" | "cancelled";
                    statusReason?: string;
                    engagement?: "none" | "read" | "opened" | "clicked";
                    /** @description As in the record; empty: messages before any branch. */
                    branch?: string;
                    window?: "24h" | "7d" | "30d" | "all";
                    from?: string;
                    to?: string;
                    messageId?: string;
                    correlationId?: string;
                    eventId?: string;
                };
            };
            responses: {
                /** @description The same records as CSV, streamed */
                200: {
                    content: {
                        "text/csv": string;
                    };
                };
            };
        };
    };
    "/v1/deliveries/{messageId}": {
        /** Read a message with its snapshot, tracked event and timeline */
        get: {
            parameters: {
                path: {
                    messageId: string;
                };
            };
            responses: {
                /** @description Read a message with its snapshot, tracked event and timeline */
                200: {
                    content: {
                        "application/json": components["schemas"]["DeliveryDetail"];
                    };
                };
            };
        };
    };
    "/v1/deliveries/{messageId}/mail": {
        /** Render the mail of a message from its stored content; nothing in it is tracked */
        get: {
            parameters: {
                path: {
                    messageId: string;
                };
            };
            responses: {
                /** @description Render the mail of a message from its stored content; nothing in it is tracked */
                200: {
                    content: {
                        "application/json": components["schemas"]["SentMail"];
                    };
                };
            };
        };
    };
    "/v1/deliveries/{messageId}/send-again": {
        /** Send again a message that failed or was held back; rules that still hold it back do so again */
        post: {
            parameters: {
                path: {
                    messageId: string;
                };
            };
            requestBody?: {
                content: {
                    "application/json": components["schemas"]["SendAgain"];
                };
            };
            responses: {
                /** @description Send again a message that failed or was held back; rules that still hold it back do so again */
                200: {
                    content: {
                        "application/json": components["schemas"]["Again"];
                    };
                };
            };
        };
    };
    "/v1/deliveries/{messageId}/send-to-me": {
        /** Send a message to one user as a test, rendered anew with their profile */
        post: {
            parameters: {
                path: {
                    messageId: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["SendToMe"];
                };
            };
            responses: {
                /** @description Send a message to one user as a test, rendered anew with their profile */
                200: {
                    content: {
                        "application/json": components["schemas"]["Again"];
                    };
                };
            };
        };
    };
    "/v1/again": {
        /** List the last 50 jobs that sent or ran again, newest first */
        get: {
            parameters: {
                query?: {
                    /** @description Default: all. */
                    limit?: number;
                    cursor?: string;
                };
            };
            responses: {
                /** @description List the last 50 jobs that sent or ran again, newest first */
                200: {
                    content: {
                        "application/json": components["schemas"]["AgainJobPage"];
                    };
                };
            };
        };
        /** Count what matches a filter, and send or run it again by a job at a pace */
        post: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["AgainRequest"];
                };
            };
            responses: {
                /** @description The job is on disk, and goes on over restarts. */
                200: {
                    content: {
                        "application/json": components["schemas"]["BegunAgain"];
                    };
                };
            };
        };
    };
    "/v1/again/{jobId}": {
        /** Read how far a job is */
        get: {
            parameters: {
                path: {
                    jobId: string;
                };
            };
            responses: {
                /** @description Read how far a job is */
                200: {
                    content: {
                        "application/json": components["schemas"]["AgainJob"];
                    };
                };
            };
        };
    };
    "/v1/again/{jobId}/stop": {
        /** Stop a job after the items in hand */
        post: {
            parameters: {
                path: {
                    jobId: string;
                };
            };
            responses: {
                /** @description Stop a job after the items in hand */
                200: {
                    content: {
                        "application/json": components["schemas"]["AgainJob"];
                    };
                };
            };
        };
    };
    "/v1/events/{eventId}/run-again": {
        /** Run an event again: the campaigns of now start with a new event that names the old one */
        post: {
            parameters: {
                path: {
                    eventId: string;
                };
            };
            requestBody?: {
                content: {
                    "application/json": components["schemas"]["RunEventAgain"];
                };
            };
            responses: {
                /** @description Run an event again: the campaigns of now start with a new event that names the old one */
                200: {
                    content: {
                        "application/json": components["schemas"]["EventAgain"];
                    };
                };
            };
        };
    };
    "/v1/runs/{runId}/run-again": {
        /** Run again a run that failed, from the failed step or its start */
        post: {
            parameters: {
                path: {
                    runId: string;
                };
            };
            requestBody?: {
                content: {
                    "application/json": components["schemas"]["RunRunAgain"];
                };
            };
            responses: {
                /** @description Run again a run that failed, from the failed step or its start */
                200: {
                    content: {
                        "application/json": components["schemas"]["Again"];
                    };
                };
            };
        };
    };
    "/v1/users/{userId}": {
        /** Read a profile */
        get: {
            parameters: {
                path: {
                    userId: string;
                };
            };
            responses: {
                /** @description Read a profile */
                200: {
                    content: {
                        "application/json": components["schemas"]["User"];
                    };
                };
            };
        };
        /** Change fields of a profile (null removes one); creates the user if necessary */
        put: {
            parameters: {
                path: {
                    userId: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ProfileChange"];
                };
            };
            responses: {
                /** @description Change fields of a profile (null removes one); creates the user if necessary */
                200: {
                    content: {
                        "application/json": components["schemas"]["User"];
                    };
                };
            };
        };
        /** Erase a user with all data about them; counters stay */
        delete: {
            parameters: {
                path: {
                    userId: string;
                };
            };
            responses: {
                /** @description Erase a user with all data about them; counters stay */
                200: {
                    content: {
                        "application/json": components["schemas"]["Deleted"];
                    };
                };
            };
        };
    };
    "/v1/users/{userId}/sign-out": {
        /** End all widget sessions of a user and close their sockets */
        post: {
            parameters: {
                path: {
                    userId: string;
                };
            };
            responses: {
                /** @description End all widget sessions of a user and close their sockets */
                200: {
                    content: {
                        "application/json": {
                            ended: number;
                        };
                    };
                };
            };
        };
    };
    "/v1/users/{userId}/inbox/mark-read": {
        /** Mark messages as read that the user has seen elsewhere; writes no delivery event */
        post: {
            parameters: {
                path: {
                    userId: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["MarkReadRequest"];
                };
            };
            responses: {
                /** @description Mark messages as read that the user has seen elsewhere; writes no delivery event */
                200: {
                    content: {
                        "application/json": {
                            marked: number;
                        };
                    };
                };
            };
        };
    };
    "/v1/users": {
        /** List users, newest first; with `q` those whose id, e-mail or name begins with it (e-mail and name in any case, with or without accents), in that order; with `externalId` the one who has it */
        get: {
            parameters: {
                query?: {
                    q?: string;
                    externalId?: string;
                    limit?: number;
                    cursor?: string;
                };
            };
            responses: {
                /** @description List users, newest first; with `q` those whose id, e-mail or name begins with it (e-mail and name in any case, with or without accents), in that order; with `externalId` the one who has it */
                200: {
                    content: {
                        "application/json": components["schemas"]["UserPage"];
                    };
                };
            };
        };
    };
    "/v1/users/{userId}/inbox": {
        /** Read the inbox as the user has it; records no delivery event */
        get: {
            parameters: {
                query?: {
                    filter?: "all" | "unopened" | "archived" | "snoozed";
                    category?: string;
                    limit?: number;
                    cursor?: string;
                };
                path: {
                    userId: string;
                };
            };
            responses: {
                /** @description Read the inbox as the user has it; records no delivery event */
                200: {
                    content: {
                        "application/json": {
                            data: components["schemas"]["InboxMessage"][];
                            nextCursor: string | null;
                            inbox: components["schemas"]["Inbox"];
                        };
                    };
                };
            };
        };
    };
    "/v1/users/{userId}/preferences": {
        /** Read the preferences as the user has them: categories, channels and quiet hours */
        get: {
            parameters: {
                path: {
                    userId: string;
                };
            };
            responses: {
                /** @description Read the preferences as the user has them: categories, channels and quiet hours */
                200: {
                    content: {
                        "application/json": components["schemas"]["Preferences"];
                    };
                };
            };
        };
    };
    "/v1/users/{userId}/topics": {
        /** List the keys of the topics that a user joined */
        get: {
            parameters: {
                query?: {
                    /** @description Default: all. */
                    limit?: number;
                    cursor?: string;
                };
                path: {
                    userId: string;
                };
            };
            responses: {
                /** @description List the keys of the topics that a user joined */
                200: {
                    content: {
                        "application/json": components["schemas"]["UserTopicPage"];
                    };
                };
            };
        };
    };
    "/v1/users/{userId}/export": {
        /** Export all data of a user as one JSON document, streamed; the audit log records it */
        get: {
            parameters: {
                path: {
                    userId: string;
                };
            };
            responses: {
                /** @description Export all data of a user as one JSON document, streamed; the audit log records it */
                200: {
                    content: {
                        "application/json": components["schemas"]["UserExport"];
                    };
                };
            };
        };
    };
    "/v1/topics": {
        /** List topics, newest first; with `q` those whose key begins with it, in the order of their keys */
        get: {
            parameters: {
                query?: {
                    q?: string;
                    limit?: number;
                    cursor?: string;
                };
            };
            responses: {
                /** @description List topics, newest first; with `q` those whose key begins with it, in the order of their keys */
                200: {
                    content: {
                        "application/json": components["schemas"]["TopicPage"];
                    };
                };
            };
        };
    };
    "/v1/topics/{key}/subscribers": {
        /** List the subscribers of a topic, newest first; an unknown topic has none */
        get: {
            parameters: {
                query?: {
                    limit?: number;
                    cursor?: string;
                    names?: "true" | "false";
                };
                path: {
                    key: string;
                };
            };
            responses: {
                /** @description List the subscribers of a topic, newest first; an unknown topic has none */
                200: {
                    content: {
                        "application/json": components["schemas"]["SubscriberPage"];
                    };
                };
            };
        };
        /** Add and remove subscribers, up to 1,000 per call */
        put: {
            parameters: {
                path: {
                    key: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["SubscriberChange"];
                };
            };
            responses: {
                /** @description Add and remove subscribers, up to 1,000 per call */
                200: {
                    content: {
                        "application/json": {
                            key: string;
                        };
                    };
                };
            };
        };
    };
    "/v1/suppressions": {
        /** List on which channels a user or an address is suppressed, and why */
        get: {
            parameters: {
                query?: {
                    /** @description Default: all. */
                    limit?: number;
                    cursor?: string;
                    userId?: string;
                    address?: string;
                };
            };
            responses: {
                /** @description List on which channels a user or an address is suppressed, and why */
                200: {
                    content: {
                        "application/json": components["schemas"]["SuppressionPage"];
                    };
                };
            };
        };
        /** Send nothing more to a user or an address on a channel */
        post: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewSuppression"];
                };
            };
            responses: {
                /** @description Send nothing more to a user or an address on a channel */
                200: {
                    content: {
                        "application/json": {
                            added: boolean;
                        };
                    };
                };
            };
        };
        /** Let a channel reach a suppressed user or address again */
        delete: {
            parameters: {
                query?: {
                    userId?: string;
                    address?: string;
                    channel?: "inbox" | "email" | "nc";
                };
            };
            responses: {
                /** @description Let a channel reach a suppressed user or address again */
                200: {
                    content: {
                        "application/json": {
                            deleted: boolean;
                        };
                    };
                };
            };
        };
    };
    "/v1/campaigns": {
        /** List campaigns, newest first; with `q` those whose name or key contains it, in any case, with or without accents */
        get: {
            parameters: {
                query?: {
                    limit?: number;
                    cursor?: string;
                    status?: "draft" | "active" | "paused" | "archived";
                    pendingPublish?: "waiting" | "changed" | "declined";
                    q?: string;
                };
            };
            responses: {
                /** @description List campaigns, newest first; with `q` those whose name or key contains it, in any case, with or without accents */
                200: {
                    content: {
                        "application/json": components["schemas"]["CampaignPage"];
                    };
                };
            };
        };
        /** Create a campaign as a draft */
        post: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["CampaignDefinition"];
                };
            };
            responses: {
                /** @description Create a campaign as a draft */
                201: {
                    content: {
                        "application/json": components["schemas"]["SavedCampaign"];
                    };
                };
            };
        };
    };
    "/v1/campaigns/counts": {
        /** Count campaigns by status; with `q` those whose name or key contains it */
        get: {
            parameters: {
                query?: {
                    q?: string;
                };
            };
            responses: {
                /** @description Count campaigns by status; with `q` those whose name or key contains it */
                200: {
                    content: {
                        "application/json": components["schemas"]["CampaignCounts"];
                    };
                };
            };
        };
    };
    "/v1/campaigns/{id}": {
        /** Read a campaign */
        get: {
            parameters: {
                path: {
                    id: string;
                };
            };
            responses: {
                /** @description Read a campaign */
                200: {
                    content: {
                        "application/json": components["schemas"]["Campaign"];
                    };
                };
            };
        };
        /** Change the draft of the next version, in any status */
        put: {
            parameters: {
                header?: {
                    /** @description The ETag that was read: another revision is 409 `request/conflict`, with `changedBy` and `changedAt`. */
                    "If-Match"?: string;
                };
                path: {
                    id: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["CampaignDraft"];
                };
            };
            responses: {
                /** @description Change the draft of the next version, in any status */
                200: {
                    content: {
                        "application/json": components["schemas"]["SavedCampaign"];
                    };
                };
            };
        };
    };
    "/v1/campaigns/{id}/versions": {
        /** List the published versions */
        get: {
            parameters: {
                query?: {
                    limit?: number;
                    cursor?: string;
                };
                path: {
                    id: string;
                };
            };
            responses: {
                /** @description List the published versions */
                200: {
                    content: {
                        "application/json": components["schemas"]["CampaignVersionPage"];
                    };
                };
            };
        };
    };
    "/v1/campaigns/{id}/versions/{version}": {
        /** Read a published version */
        get: {
            parameters: {
                path: {
                    id: string;
                    version: string;
                };
            };
            responses: {
                /** @description Read a published version */
                200: {
                    content: {
                        "application/json": components["schemas"]["CampaignVersion"];
                    };
                };
            };
        };
    };
    "/v1/campaigns/{id}/publish": {
        /** Publish the draft as the next version and make it current, or ask for approval */
        post: {
            parameters: {
                header?: {
                    /** @description The ETag that was read: another revision is 409 `request/conflict`, with `changedBy` and `changedAt`. */
                    "If-Match"?: string;
                };
                path: {
                    id: string;
                };
            };
            requestBody?: {
                content: {
                    "application/json": components["schemas"]["PublishRequest"];
                };
            };
            responses: {
                /** @description Publish the draft as the next version and make it current, or ask for approval */
                200: {
                    content: {
                        "application/json": components["schemas"]["SavedCampaign"];
                    };
                };
            };
        };
    };
    "/v1/campaigns/{id}/pause": {
        /** Pause: events start no run */
        post: {
            parameters: {
                header?: {
                    /** @description The ETag that was read: another revision is 409 `request/conflict`, with `changedBy` and `changedAt`. */
                    "If-Match"?: string;
                };
                path: {
                    id: string;
                };
            };
            responses: {
                /** @description Pause: events start no run */
                200: {
                    content: {
                        "application/json": components["schemas"]["Campaign"];
                    };
                };
            };
        };
    };
    "/v1/campaigns/{id}/resume": {
        /** Resume a paused campaign */
        post: {
            parameters: {
                header?: {
                    /** @description The ETag that was read: another revision is 409 `request/conflict`, with `changedBy` and `changedAt`. */
                    "If-Match"?: string;
                };
                path: {
                    id: string;
                };
            };
            responses: {
                /** @description Resume a paused campaign */
                200: {
                    content: {
                        "application/json": components["schemas"]["Campaign"];
                    };
                };
            };
        };
    };
    "/v1/campaigns/{id}/archive": {
        /** Archive; waiting runs are cancelled unless drained */
        post: {
            parameters: {
                query?: {
                    drain?: "true" | "false";
                };
                header?: {
                    /** @description The ETag that was read: another revision is 409 `request/conflict`, with `changedBy` and `changedAt`. */
                    "If-Match"?: string;
                };
                path: {
                    id: string;
                };
            };
            responses: {
                /** @description Archive; waiting runs are cancelled unless drained */
                200: {
                    content: {
                        "application/json": components["schemas"]["Campaign"];
                    };
                };
            };
        };
    };
    "/v1/campaigns/{id}/preview": {
        /** Render a step of the draft as for a real message */
        post: {
            parameters: {
                query?: {
                    doubts?: "true" | "false";
                };
                path: {
                    id: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["PreviewRequest"];
                };
            };
            responses: {
                /** @description Render a step of the draft as for a real message */
                200: {
                    content: {
                        "application/json": components["schemas"]["MessageContent"];
                    };
                };
            };
        };
    };
    "/v1/campaigns/{id}/dry-run": {
        /** List the steps that the draft would take; writes nothing */
        post: {
            parameters: {
                query?: {
                    doubts?: "true" | "false";
                };
                path: {
                    id: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["DryRunRequest"];
                };
            };
            responses: {
                /** @description List the steps that the draft would take; writes nothing */
                200: {
                    content: {
                        "application/json": components["schemas"]["DryRun"];
                    };
                };
            };
        };
    };
    "/v1/campaigns/{id}/test": {
        /** Send the draft to one user, marked as a test and counted nowhere */
        post: {
            parameters: {
                query?: {
                    doubts?: "true" | "false";
                };
                path: {
                    id: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["TestRequest"];
                };
            };
            responses: {
                /** @description Send the draft to one user, marked as a test and counted nowhere */
                200: {
                    content: {
                        "application/json": components["schemas"]["CampaignTest"];
                    };
                };
            };
        };
    };
    "/v1/campaigns/{id}/explain": {
        /** Explain step by step why a user would get the messages of the draft, or not; writes and sends nothing */
        post: {
            parameters: {
                path: {
                    id: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ExplainRequest"];
                };
            };
            responses: {
                /** @description Explain step by step why a user would get the messages of the draft, or not; writes and sends nothing */
                200: {
                    content: {
                        "application/json": components["schemas"]["Explanation"];
                    };
                };
            };
        };
    };
    "/v1/campaigns/{id}/stats": {
        /** Read the funnel: live counters by window and channel */
        get: {
            parameters: {
                query?: {
                    window?: "24h" | "7d" | "30d" | "all";
                    channel?: "inbox" | "email" | "nc";
                };
                path: {
                    id: string;
                };
            };
            responses: {
                /** @description Read the funnel: live counters by window and channel */
                200: {
                    content: {
                        "application/json": components["schemas"]["Funnel"];
                    };
                };
            };
        };
    };
    "/v1/campaigns/{id}/text-changes": {
        /** Compare the translations and snippets of the published version with those that the draft takes now */
        post: {
            parameters: {
                path: {
                    id: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["TextChangesRequest"];
                };
            };
            responses: {
                /** @description Compare the translations and snippets of the published version with those that the draft takes now */
                200: {
                    content: {
                        "application/json": components["schemas"]["TextChanges"];
                    };
                };
            };
        };
    };
    "/v1/campaigns/{id}/stats/series": {
        /** Read the funnel of a campaign over time */
        get: {
            parameters: {
                query?: {
                    window?: "24h" | "7d" | "30d" | "all";
                    channel?: "inbox" | "email" | "nc";
                };
                path: {
                    id: string;
                };
            };
            responses: {
                /** @description Read the funnel of a campaign over time */
                200: {
                    content: {
                        "application/json": components["schemas"]["FunnelSeries"];
                    };
                };
            };
        };
    };
    "/v1/campaigns/{id}/stats/flow": {
        /** Read the numbers of each step of a campaign: runs, ways, messages, and what waits now */
        get: {
            parameters: {
                query?: {
                    window?: "24h" | "7d" | "30d";
                    /** @description Default: the current version. */
                    version?: number;
                };
                path: {
                    id: string;
                };
            };
            responses: {
                /** @description Read the numbers of each step of a campaign: runs, ways, messages, and what waits now */
                200: {
                    content: {
                        "application/json": components["schemas"]["FlowStats"];
                    };
                };
            };
        };
    };
    "/v1/stats": {
        /** Read the funnel over all campaigns or of one, and why messages were not sent */
        get: {
            parameters: {
                query?: {
                    window?: "24h" | "7d" | "30d" | "all";
                    channel?: "inbox" | "email" | "nc";
                    campaignId?: string;
                };
            };
            responses: {
                /** @description Read the funnel over all campaigns or of one, and why messages were not sent */
                200: {
                    content: {
                        "application/json": components["schemas"]["EnvironmentStats"];
                    };
                };
            };
        };
    };
    "/v1/stats/series": {
        /** Read the funnel over all campaigns over time, and the time before */
        get: {
            parameters: {
                query?: {
                    window?: "24h" | "7d" | "30d" | "all";
                    channel?: "inbox" | "email" | "nc";
                };
            };
            responses: {
                /** @description Read the funnel over all campaigns over time, and the time before */
                200: {
                    content: {
                        "application/json": components["schemas"]["EnvironmentSeries"];
                    };
                };
            };
        };
    };
    "/v1/stats/campaigns": {
        /** Read the deliveries of each campaign by day, for a list of campaigns */
        get: {
            parameters: {
                query?: {
                    /** @description Default: all. */
                    limit?: number;
                    cursor?: string;
                    channel?: "inbox" | "email" | "nc";
                };
            };
            responses: {
                /** @description Read the deliveries of each campaign by day, for a list of campaigns */
                200: {
                    content: {
                        "application/json": components["schemas"]["CampaignDaysPage"];
                    };
                };
            };
        };
    };
    "/v1/stats/online": {
        /** Count the users who are online */
        get: {
            responses: {
                /** @description Count the users who are online */
                200: {
                    content: {
                        "application/json": components["schemas"]["OnlineUsers"];
                    };
                };
            };
        };
    };
    "/v1/enrichers": {
        /** List enrichers */
        get: {
            parameters: {
                query?: {
                    limit?: number;
                    cursor?: string;
                };
            };
            responses: {
                /** @description List enrichers */
                200: {
                    content: {
                        "application/json": components["schemas"]["EnricherPage"];
                    };
                };
            };
        };
    };
    "/v1/enrichers/{name}": {
        /** Read an enricher */
        get: {
            parameters: {
                path: {
                    name: string;
                };
            };
            responses: {
                /** @description Read an enricher */
                200: {
                    content: {
                        "application/json": components["schemas"]["Enricher"];
                    };
                };
            };
        };
        /** Add or replace an enricher */
        put: {
            parameters: {
                path: {
                    name: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["EnricherSettings"];
                };
            };
            responses: {
                /** @description Add or replace an enricher */
                200: {
                    content: {
                        "application/json": components["schemas"]["Enricher"];
                    };
                };
            };
        };
        /** Remove an enricher; steps that name it fail from then on */
        delete: {
            parameters: {
                path: {
                    name: string;
                };
            };
            responses: {
                /** @description Remove an enricher; steps that name it fail from then on */
                200: {
                    content: {
                        "application/json": components["schemas"]["Deleted"];
                    };
                };
            };
        };
    };
    "/v1/enrichers/{name}/test": {
        /** Call an enricher now, without cache and circuit breaker, and answer its result */
        post: {
            parameters: {
                path: {
                    name: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["EnricherTrial"];
                };
            };
            responses: {
                /** @description Call an enricher now, without cache and circuit breaker, and answer its result */
                200: {
                    content: {
                        "application/json": components["schemas"]["EnricherTrialAnswer"];
                    };
                };
            };
        };
    };
    "/v1/translations": {
        /** List the locales that have translations, each with what it lacks of the default locale */
        get: {
            parameters: {
                query?: {
                    limit?: number;
                    cursor?: string;
                };
            };
            responses: {
                /** @description List the locales that have translations, each with what it lacks of the default locale */
                200: {
                    content: {
                        "application/json": components["schemas"]["TranslationPage"];
                    };
                };
            };
        };
    };
    "/v1/translations/{locale}": {
        /** Read the messages of a locale */
        get: {
            parameters: {
                path: {
                    locale: string;
                };
            };
            responses: {
                /** @description Read the messages of a locale */
                200: {
                    content: {
                        "application/json": components["schemas"]["Translation"];
                    };
                };
            };
        };
        /** Add or replace the messages of a locale; published campaigns keep theirs */
        put: {
            parameters: {
                path: {
                    locale: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["TranslationMessages"];
                };
            };
            responses: {
                /** @description Add or replace the messages of a locale; published campaigns keep theirs */
                200: {
                    content: {
                        "application/json": components["schemas"]["Translation"];
                    };
                };
            };
        };
        /** Remove the messages of a locale; published campaigns keep theirs */
        delete: {
            parameters: {
                path: {
                    locale: string;
                };
            };
            responses: {
                /** @description Remove the messages of a locale; published campaigns keep theirs */
                200: {
                    content: {
                        "application/json": components["schemas"]["Deleted"];
                    };
                };
            };
        };
    };
    "/v1/snippets": {
        /** List snippets */
        get: {
            parameters: {
                query?: {
                    limit?: number;
                    cursor?: string;
                };
            };
            responses: {
                /** @description List snippets */
                200: {
                    content: {
                        "application/json": components["schemas"]["SnippetPage"];
                    };
                };
            };
        };
    };
    "/v1/snippets/{name}": {
        /** Read a snippet */
        get: {
            parameters: {
                path: {
                    name: string;
                };
            };
            responses: {
                /** @description Read a snippet */
                200: {
                    content: {
                        "application/json": components["schemas"]["Snippet"];
                    };
                };
            };
        };
        /** Add or replace a snippet; published campaigns keep theirs */
        put: {
            parameters: {
                path: {
                    name: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["SnippetContent"];
                };
            };
            responses: {
                /** @description Add or replace a snippet; published campaigns keep theirs */
                200: {
                    content: {
                        "application/json": components["schemas"]["Snippet"];
                    };
                };
            };
        };
        /** Remove a snippet; campaigns that render it cannot be published from then on */
        delete: {
            parameters: {
                path: {
                    name: string;
                };
            };
            responses: {
                /** @description Remove a snippet; campaigns that render it cannot be published from then on */
                200: {
                    content: {
                        "application/json": components["schemas"]["Deleted"];
                    };
                };
            };
        };
    };
    "/v1/email/mailbox": {
        /** List the mails that were kept because no mail server is set, newest first */
        get: {
            parameters: {
                query?: {
                    limit?: number;
                    cursor?: string;
                };
            };
            responses: {
                /** @description List the mails that were kept because no mail server is set, newest first */
                200: {
                    content: {
                        "application/json": components["schemas"]["KeptMailPage"];
                    };
                };
            };
        };
    };
    "/v1/email/mailbox/{messageId}": {
        /** Read a kept mail */
        get: {
            parameters: {
                path: {
                    messageId: string;
                };
            };
            responses: {
                /** @description Read a kept mail */
                200: {
                    content: {
                        "application/json": components["schemas"]["KeptMailDetail"];
                    };
                };
            };
        };
    };
    "/v1/email/providers": {
        /** List the providers of e-mail, with the fields of their credentials */
        get: {
            parameters: {
                query?: {
                    /** @description Default: all. */
                    limit?: number;
                    cursor?: string;
                };
            };
            responses: {
                /** @description List the providers of e-mail, with the fields of their credentials */
                200: {
                    content: {
                        "application/json": components["schemas"]["EmailProviderPage"];
                    };
                };
            };
        };
    };
    "/v1/email/integrations": {
        /** List the integrations with providers of e-mail, in the order in which they are tried */
        get: {
            parameters: {
                query?: {
                    /** @description Default: all. */
                    limit?: number;
                    cursor?: string;
                };
            };
            responses: {
                /** @description List the integrations with providers of e-mail, in the order in which they are tried */
                200: {
                    content: {
                        "application/json": components["schemas"]["EmailIntegrationList"];
                    };
                };
            };
        };
        /** Add an integration with a provider of e-mail */
        post: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewEmailIntegration"];
                };
            };
            responses: {
                /** @description Add an integration with a provider of e-mail */
                201: {
                    content: {
                        "application/json": components["schemas"]["ChangedEmailIntegration"];
                    };
                };
            };
        };
    };
    "/v1/email/integrations/{integrationId}": {
        /** Read an integration with its state */
        get: {
            parameters: {
                path: {
                    integrationId: string;
                };
            };
            responses: {
                /** @description Read an integration with its state */
                200: {
                    content: {
                        "application/json": components["schemas"]["EmailIntegration"];
                    };
                };
            };
        };
        /** Replace an integration; without credentials the stored ones stay */
        put: {
            parameters: {
                header?: {
                    /** @description The ETag that was read: another revision is 409 `request/conflict`, with `changedBy` and `changedAt`. */
                    "If-Match"?: string;
                };
                path: {
                    integrationId: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["EmailIntegrationChange"];
                };
            };
            responses: {
                /** @description Replace an integration; without credentials the stored ones stay */
                200: {
                    content: {
                        "application/json": components["schemas"]["ChangedEmailIntegration"];
                    };
                };
            };
        };
        /** Remove an integration; mails are sent by the others */
        delete: {
            parameters: {
                header?: {
                    /** @description The ETag that was read: another revision is 409 `request/conflict`, with `changedBy` and `changedAt`. */
                    "If-Match"?: string;
                };
                path: {
                    integrationId: string;
                };
            };
            responses: {
                /** @description Remove an integration; mails are sent by the others */
                200: {
                    content: {
                        "application/json": components["schemas"]["Deleted"];
                    };
                };
            };
        };
    };
    "/v1/email/integrations/{integrationId}/test": {
        /** Send a test mail by this integration, and answer the provider's own answer */
        post: {
            parameters: {
                path: {
                    integrationId: string;
                };
            };
            requestBody?: {
                content: {
                    "application/json": components["schemas"]["EmailIntegrationTest"];
                };
            };
            responses: {
                /** @description Send a test mail by this integration, and answer the provider's own answer */
                200: {
                    content: {
                        "application/json": components["schemas"]["EmailIntegrationTestAnswer"];
                    };
                };
            };
        };
    };
    "/v1/email/domains": {
        /** Check SPF, DKIM and DMARC of the senders' domains by DNS, with the records to add */
        get: {
            parameters: {
                query?: {
                    /** @description Default: all. */
                    limit?: number;
                    cursor?: string;
                };
            };
            responses: {
                /** @description Check SPF, DKIM and DMARC of the senders' domains by DNS, with the records to add */
                200: {
                    content: {
                        "application/json": components["schemas"]["EmailDomainFindingPage"];
                    };
                };
            };
        };
    };
    "/v1/sources": {
        /** List the sources of connectors, newest first */
        get: {
            parameters: {
                query?: {
                    /** @description Default: all. */
                    limit?: number;
                    cursor?: string;
                };
            };
            responses: {
                /** @description List the sources of connectors, newest first */
                200: {
                    content: {
                        "application/json": components["schemas"]["SourceList"];
                    };
                };
            };
        };
        /** Add a source, and answer the value of its secret this once */
        post: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewSource"];
                };
            };
            responses: {
                /** @description Add a source, and answer the value of its secret this once */
                201: {
                    content: {
                        "application/json": components["schemas"]["CreatedSource"];
                    };
                };
            };
        };
    };
    "/v1/sources/{sourceId}": {
        /** Read a source with its state */
        get: {
            parameters: {
                path: {
                    sourceId: string;
                };
            };
            responses: {
                /** @description Read a source with its state */
                200: {
                    content: {
                        "application/json": components["schemas"]["Source"];
                    };
                };
            };
        };
        /** Change the name, the mappings and the checks of a source; absent fields stay */
        put: {
            parameters: {
                header?: {
                    /** @description The ETag that was read: another revision is 409 `request/conflict`, with `changedBy` and `changedAt`. */
                    "If-Match"?: string;
                };
                path: {
                    sourceId: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["SourceChange"];
                };
            };
            responses: {
                /** @description Change the name, the mappings and the checks of a source; absent fields stay */
                200: {
                    content: {
                        "application/json": components["schemas"]["Source"];
                    };
                };
            };
        };
        /** Remove a source; its address answers 404 from then on */
        delete: {
            parameters: {
                header?: {
                    /** @description The ETag that was read: another revision is 409 `request/conflict`, with `changedBy` and `changedAt`. */
                    "If-Match"?: string;
                };
                path: {
                    sourceId: string;
                };
            };
            responses: {
                /** @description Remove a source; its address answers 404 from then on */
                200: {
                    content: {
                        "application/json": components["schemas"]["Deleted"];
                    };
                };
            };
        };
    };
    "/v1/sources/{sourceId}/deliveries": {
        /** List the last 200 deliveries of 30 days, newest first */
        get: {
            parameters: {
                query?: {
                    /** @description Default: all. */
                    limit?: number;
                    cursor?: string;
                };
                path: {
                    sourceId: string;
                };
            };
            responses: {
                /** @description List the last 200 deliveries of 30 days, newest first */
                200: {
                    content: {
                        "application/json": components["schemas"]["SourceDeliveries"];
                    };
                };
            };
        };
    };
    "/v1/sources/{sourceId}/deliveries/{deliveryId}": {
        /** Read a delivery with its body as it came */
        get: {
            parameters: {
                path: {
                    sourceId: string;
                    deliveryId: string;
                };
            };
            responses: {
                /** @description Read a delivery with its body as it came */
                200: {
                    content: {
                        "application/json": components["schemas"]["SourceDelivery"];
                    };
                };
            };
        };
    };
    "/v1/sources/{sourceId}/deliveries/run": {
        /** Begin to run the deliveries of a time again with the mappings of today; the source shows the progress */
        post: {
            parameters: {
                path: {
                    sourceId: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["RunDeliveries"];
                };
            };
            responses: {
                /** @description The run is on disk, and goes on over restarts. */
                202: {
                    content: {
                        "application/json": components["schemas"]["RunDeliveriesAnswer"];
                    };
                };
            };
        };
    };
    "/v1/sources/{sourceId}/deliveries/stop": {
        /** Stop the run of deliveries after the part in hand */
        post: {
            parameters: {
                path: {
                    sourceId: string;
                };
            };
            responses: {
                /** @description Stop the run of deliveries after the part in hand */
                200: {
                    content: {
                        "application/json": components["schemas"]["StoppedRun"];
                    };
                };
            };
        };
    };
    "/v1/sources/{sourceId}/deliveries/{deliveryId}/run": {
        /** Run a delivery again with the mappings of today, once for the same mappings */
        post: {
            parameters: {
                path: {
                    sourceId: string;
                    deliveryId: string;
                };
            };
            responses: {
                /** @description Run a delivery again with the mappings of today, once for the same mappings */
                200: {
                    content: {
                        "application/json": components["schemas"]["RunDeliveryAnswer"];
                    };
                };
            };
        };
    };
    "/v1/sources/{sourceId}/pause": {
        /** Drop deliveries, and answer them 200 */
        post: {
            parameters: {
                header?: {
                    /** @description The ETag that was read: another revision is 409 `request/conflict`, with `changedBy` and `changedAt`. */
                    "If-Match"?: string;
                };
                path: {
                    sourceId: string;
                };
            };
            responses: {
                /** @description Drop deliveries, and answer them 200 */
                200: {
                    content: {
                        "application/json": components["schemas"]["Source"];
                    };
                };
            };
        };
    };
    "/v1/sources/{sourceId}/resume": {
        /** Take deliveries again */
        post: {
            parameters: {
                header?: {
                    /** @description The ETag that was read: another revision is 409 `request/conflict`, with `changedBy` and `changedAt`. */
                    "If-Match"?: string;
                };
                path: {
                    sourceId: string;
                };
            };
            responses: {
                /** @description Take deliveries again */
                200: {
                    content: {
                        "application/json": components["schemas"]["Source"];
                    };
                };
            };
        };
    };
    "/v1/sources/{sourceId}/rotate": {
        /** Add a value of the secret, shown once; the old one is accepted until the overlap ends */
        post: {
            parameters: {
                path: {
                    sourceId: string;
                };
            };
            requestBody?: {
                content: {
                    "application/json": components["schemas"]["SourceSecretRotate"];
                };
            };
            responses: {
                /** @description Add a value of the secret, shown once; the old one is accepted until the overlap ends */
                200: {
                    content: {
                        "application/json": components["schemas"]["RotatedSourceSecret"];
                    };
                };
            };
        };
    };
    "/v1/sources/{sourceId}/extend": {
        /** Let the old value of an overlap live longer */
        post: {
            parameters: {
                path: {
                    sourceId: string;
                };
            };
            requestBody?: {
                content: {
                    "application/json": components["schemas"]["SourceSecretExtend"];
                };
            };
            responses: {
                /** @description Let the old value of an overlap live longer */
                200: {
                    content: {
                        "application/json": components["schemas"]["SourceSecretRotation"];
                    };
                };
            };
        };
    };
    "/v1/sources/{sourceId}/show": {
        /** Show the live values of the secret to owners and admins, never to a key; the audit log records it */
        post: {
            parameters: {
                path: {
                    sourceId: string;
                };
            };
            responses: {
                /** @description Show the live values of the secret to owners and admins, never to a key; the audit log records it */
                200: {
                    content: {
                        "application/json": components["schemas"]["SourceSecretValues"];
                    };
                };
            };
        };
    };
    "/v1/sources/{sourceId}/retire": {
        /** End the old value of an overlap now: deliveries signed with it are refused */
        post: {
            parameters: {
                path: {
                    sourceId: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["SourceSecretRetire"];
                };
            };
            responses: {
                /** @description End the old value of an overlap now: deliveries signed with it are refused */
                200: {
                    content: {
                        "application/json": components["schemas"]["SourceSecretRotation"];
                    };
                };
            };
        };
    };
    "/v1/sources/{sourceId}/emergency": {
        /** Add a value of the secret, shown once, and end all others now */
        post: {
            parameters: {
                path: {
                    sourceId: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["SourceSecretEmergency"];
                };
            };
            responses: {
                /** @description Add a value of the secret, shown once, and end all others now */
                200: {
                    content: {
                        "application/json": components["schemas"]["RotatedSourceSecret"];
                    };
                };
            };
        };
    };
    "/v1/sources/try": {
        /** Show what becomes of a payload with given mappings; writes nothing */
        post: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["SourceTrial"];
                };
            };
            responses: {
                /** @description Show what becomes of a payload with given mappings; writes nothing */
                200: {
                    content: {
                        "application/json": components["schemas"]["SourceTrialAnswer"];
                    };
                };
            };
        };
    };
    "/v1/sources/{sourceId}/try-signature": {
        /** Show both signatures of a pasted request and what is signed, to owners and admins, never to a key */
        post: {
            parameters: {
                path: {
                    sourceId: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["SignatureTrial"];
                };
            };
            responses: {
                /** @description Show both signatures of a pasted request and what is signed, to owners and admins, never to a key */
                200: {
                    content: {
                        "application/json": components["schemas"]["SignatureTrialAnswer"];
                    };
                };
            };
        };
    };
    "/v1/doubts": {
        /** List what was accepted and cannot have been meant, newest first */
        get: {
            parameters: {
                query?: {
                    kind?: "unknown-variable" | "condition-error" | "text-compared" | "missing-translation" | "link-dropped" | "mail-too-large" | "invalid-email" | "unknown-locale" | "unknown-time-zone" | "external-id-taken" | "unknown-user" | "unmapped-type" | "unheard-event";
                    subjectType?: "campaign" | "layout" | "source" | "user" | "event";
                    subjectId?: string;
                    limit?: number;
                    cursor?: string;
                };
            };
            responses: {
                /** @description List what was accepted and cannot have been meant, newest first */
                200: {
                    content: {
                        "application/json": components["schemas"]["DoubtPage"];
                    };
                };
            };
        };
    };
    "/v1/doubts/{id}": {
        /** Dismiss a doubt; it comes back when it arises again */
        delete: {
            parameters: {
                path: {
                    id: string;
                };
            };
            responses: {
                /** @description Dismiss a doubt; it comes back when it arises again */
                200: {
                    content: {
                        "application/json": components["schemas"]["Deleted"];
                    };
                };
            };
        };
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description Exactly one of `userId`, `userIds` and `topic`. */
        TrackRequest: ({
            /** @description The sdkSecretKey, equal to the Bearer credential. */
            sdkSecretKey: string;
            /** @example u_42 */
            userId?: string;
            userIds?: string[];
            /** @example u_42 */
            topic?: string;
            properties?: {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            occurredAt?: string | number;
            idempotencyKey?: string;
            user?: components["schemas"]["ProfileChange"];
            /**
             * Format: event-name
             * @example order.shipped
             */
            name: string;
        } | unknown | unknown) & (unknown | unknown | unknown);
        ProfileChange: {
            /**
             * @description One that no mail goes to is kept, and a doubt; an empty one is none.
             * @example ada@example.com
             */
            email?: string | null;
            name?: string | null;
            /** @example en-GB */
            locale?: string | null;
            /** @example Europe/London */
            timeZone?: string | null;
            attributes?: {
                [key: string]: unknown;
            } | null;
            /**
             * @description Ids in other systems, such as `{ "stripe": "cus_1" }`: each belongs to one user; null removes one.
             * @example {
             *       "stripe": "cus_1"
             *     }
             */
            externalIds?: {
                [key: string]: string | null;
            } | null;
        };
        TrackAnswer: {
            eventId: string;
            correlationId: string;
            duplicate: boolean;
            /** Format: date-time */
            receivedAt: string;
        };
        TrackBatchRequest: {
            /** @description The sdkSecretKey, equal to the Bearer credential. */
            sdkSecretKey: string;
            events: components["schemas"]["TrackedEventInput"][];
        };
        TrackedEventInput: ({
            /** @example u_42 */
            userId?: string;
            userIds?: string[];
            /** @example u_42 */
            topic?: string;
            properties?: {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            occurredAt?: string | number;
            idempotencyKey?: string;
            user?: components["schemas"]["ProfileChange"];
            /**
             * Format: event-name
             * @example order.shipped
             */
            name: string;
        } | unknown | unknown) & (unknown | unknown | unknown);
        TrackBatchAnswer: {
            results: ({
                eventId: string;
                duplicate: boolean;
            } | {
                code: string;
                message: string;
                reason?: string;
                position?: number;
                details?: {
                    path: string;
                    message: string;
                    position?: number;
                }[];
            })[];
        };
        TrackedEventPage: {
            data: components["schemas"]["TrackedEvent"][];
            nextCursor: string | null;
        };
        TrackedEvent: {
            eventId: string;
            name: string;
            userId: string | null;
            userIds: string[] | null;
            topic: string | null;
            properties: {
                [key: string]: unknown;
            };
            /** @description What was sent besides: `user` and `idempotencyKey` where the event had them, and unknown fields. */
            raw: {
                [key: string]: unknown;
            };
            source: string;
            /** Format: date-time */
            occurredAt: string;
            /** Format: date-time */
            receivedAt: string;
            userName: string | null;
            correlationId: string;
            /** @enum {string} */
            outcome: "matched" | "unmatched" | "no-user" | "fanned-out";
            /** @description Campaigns with this event name, and why one started no run. */
            considered: {
                campaignId: string;
                campaignKey: string;
                campaignName: string | null;
                /** @enum {string} */
                outcome: "run" | "paused" | "condition-false" | "condition-error" | "failed";
                reason: string | null;
                inputs?: {
                    [key: string]: unknown;
                };
            }[];
            /** @description The first 20. */
            runs: components["schemas"]["RunSummary"][];
            /** @description The first 20. */
            messageIds: string[];
        };
        RunSummary: {
            runId: string;
            campaignId: string;
            campaignKey: string;
            campaignName: string;
            version: number;
            branch: string | null;
            userId: string;
            userName: string | null;
            /** @enum {string} */
            state: "running" | "waiting" | "completed" | "exited" | "failed" | "cancelled";
            stateReason: string | null;
        };
        RunPage: {
            data: components["schemas"]["RunSummary"][];
            nextCursor: string | null;
        };
        Run: {
            runId: string;
            campaignId: string;
            campaignKey: string;
            campaignName: string;
            version: number;
            branch: string | null;
            userId: string;
            userName: string | null;
            /** @enum {string} */
            state: "running" | "waiting" | "completed" | "exited" | "failed" | "cancelled";
            stateReason: string | null;
            eventId: string;
            correlationId: string;
            isTest: boolean;
            /** Format: date-time */
            startedAt: string;
            /** Format: date-time */
            endedAt: string | null;
            messageIds: string[];
            steps: {
                stepId: string;
                type: string;
                outcome: string;
                reason: string | null;
                /** Format: date-time */
                at: string;
                durationMs: number;
                /** @description The values that decided the outcome, by type of step; long values are truncated, secrets omitted. */
                inputs: {
                    [key: string]: unknown;
                };
            }[];
        };
        EventNamePage: {
            data: components["schemas"]["EventName"][];
            nextCursor: string | null;
        };
        EventName: {
            name: string;
            /** @description Events since `firstAt`; a kill loses those of its last seconds. */
            count: number;
            /**
             * Format: date-time
             * @description Since when events of the name are counted.
             */
            firstAt: string;
            /** Format: date-time */
            lastAt: string;
        };
        EventProperties: {
            name: string;
            /** @description Events since `firstAt`; a kill loses those of its last seconds. */
            count: number;
            /**
             * Format: date-time
             * @description Since when events of the name are counted.
             */
            firstAt: string;
            /** Format: date-time */
            lastAt: string;
            /** @description Sampled events: those of `count` whose properties were read. */
            events: number;
            /** @description Whether paths were left out, because there are more than 200. */
            isCut: boolean;
            paths: {
                /**
                 * @description Below `event.properties`, such as `items[].sku`, `balances.*` (keys that are ids) or `["odd key"]`.
                 * @example items[].sku
                 */
                path: string;
                /** @description In how many sampled events it had a value of each type. */
                types: {
                    string?: number;
                    number?: number;
                    boolean?: number;
                    null?: number;
                    object?: number;
                    array?: number;
                };
                /** @description Sampled events without it. */
                missing: number;
                /** @description Up to 5 short values of the newest events, without secrets. */
                examples: (string | number | boolean)[];
                /**
                 * Format: date-time
                 * @description Of the last sampled event that had it.
                 */
                lastAt: string;
            }[];
        };
        CancelRuns: {
            campaignKey: string;
            /** @example u_42 */
            userId: string;
            /**
             * Format: cel
             * @description CEL with `event` (which started the run), `user` and `enriched`: only runs for which it is true are cancelled.
             */
            where?: string;
        };
        CancelledRuns: {
            cancelled: number;
            /** @description The first 100. */
            runIds: string[];
            /** @description Runs for which `where` ended in an error: they still wait. */
            failed: number;
            /** @description One of these. */
            example: {
                runId: string;
                reason: string;
            } | null;
        };
        DeliveryPage: {
            data: components["schemas"]["DeliveryRecord"][];
            nextCursor: string | null;
        };
        DeliveryRecord: {
            messageId: string;
            correlationId: string;
            eventId: string;
            runId: string;
            userId: string;
            campaignId: string;
            campaignKey: string;
            version: number;
            branch: string | null;
            stepId: string;
            /** @enum {string} */
            channel: "inbox" | "email";
            /** @enum {string} */
            status: "scheduled" | "queued" | "sending" | "sent" | "delivered" | "failed" | "bounced" | "skipped" | "cancelled";
            statusReason: string | null;
            /** @enum {string} */
            engagement: "none" | "read" | "opened" | "clicked";
            provider: string | null;
            providerMessageId: string | null;
            attempts: number;
            lastError: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            scheduledAt: string | null;
            /** Format: date-time */
            sentAt: string | null;
            /** Format: date-time */
            deliveredAt: string | null;
            /** Format: date-time */
            readAt: string | null;
            /** Format: date-time */
            openedAt: string | null;
            /** Format: date-time */
            clickedAt: string | null;
            /** Format: date-time */
            expiresAt: string | null;
            isTest: boolean;
            campaignName: string;
            userName: string | null;
            /** @description Of the message, or the subject of the mail; in lists the first 200 characters, of a mail without the queries of links. */
            title: string | null;
        };
        DeliveryDetail: {
            messageId: string;
            correlationId: string;
            eventId: string;
            runId: string;
            userId: string;
            campaignId: string;
            campaignKey: string;
            version: number;
            branch: string | null;
            stepId: string;
            /** @enum {string} */
            channel: "inbox" | "email";
            /** @enum {string} */
            status: "scheduled" | "queued" | "sending" | "sent" | "delivered" | "failed" | "bounced" | "skipped" | "cancelled";
            statusReason: string | null;
            /** @enum {string} */
            engagement: "none" | "read" | "opened" | "clicked";
            provider: string | null;
            providerMessageId: string | null;
            attempts: number;
            lastError: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            scheduledAt: string | null;
            /** Format: date-time */
            sentAt: string | null;
            /** Format: date-time */
            deliveredAt: string | null;
            /** Format: date-time */
            readAt: string | null;
            /** Format: date-time */
            openedAt: string | null;
            /** Format: date-time */
            clickedAt: string | null;
            /** Format: date-time */
            expiresAt: string | null;
            isTest: boolean;
            campaignName: string;
            userName: string | null;
            /** @description Of the message, or the subject of the mail; in lists the first 200 characters, of a mail without the queries of links. */
            title: string | null;
            /** @description The content as rendered when the message was created. */
            snapshot: {
                [key: string]: unknown;
            };
            /** @description The tracked event that caused the message; null after retention has deleted it. */
            event: {
                eventId: string;
                name: string;
                userId: string | null;
                userIds: string[] | null;
                topic: string | null;
                properties: {
                    [key: string]: unknown;
                };
                /** @description What was sent besides: `user` and `idempotencyKey` where the event had them, and unknown fields. */
                raw: {
                    [key: string]: unknown;
                };
                source: string;
                /** Format: date-time */
                occurredAt: string;
                /** Format: date-time */
                receivedAt: string;
            } | null;
            timeline: {
                /** @enum {string} */
                eventType: "send" | "read" | "opened" | "clicked";
                /** Format: date-time */
                at: string;
                implied: boolean;
                automated: boolean;
                source: string;
            }[];
            /** @description The last 20 attempts to send a mail, oldest first. */
            attemptLog: {
                /** Format: date-time */
                at: string;
                /** @description Null: SMTP_URL or the mailbox, or nobody was asked. */
                integration: string | null;
                provider: string | null;
                /**
                 * @description `unknown` also while the answer is awaited, or was not recorded.
                 * @enum {string}
                 */
                outcome: "accepted" | "refused" | "unavailable" | "unknown" | "render-error";
                /** @description Words of the provider, without secrets. */
                answer: string | null;
            }[];
            /**
             * Format: date-time
             * @description Of a mail that waits for a time: another attempt, or the end of quiet hours (`statusReason`).
             */
            nextAttemptAt: string | null;
        };
        SentMail: {
            subject: string;
            preheader: string | null;
            /** @description With its layout and inlined styles; links are not tracked. */
            html: string;
            text: string;
            from: {
                name: string | null;
                address: string;
            };
            /** @description Size of the HTML in bytes. Gmail cuts mails at 102 KB. */
            htmlBytes: number;
            warnings: {
                /** @description Of the source, such as `html` or `layout`. */
                path: string;
                /** @description In that source; null where it is not known. */
                line: number | null;
                message: string;
            }[];
            to: {
                name: string | null;
                address: string;
            } | null;
            /**
             * Format: date-time
             * @description Set when the layout of that time is not kept, and the notification config was changed since.
             */
            configChangedAt: string | null;
        };
        SendAgain: {
            /**
             * @description The version of the campaign: `now` the published one, `then` that of the former run.
             * @default now
             * @enum {string}
             */
            version?: "now" | "then";
            /** @description A repeat with the same key answers the same, and does nothing more. */
            idempotencyKey?: string;
        };
        Again: {
            /** @description Of the new run. */
            runId: string;
            /** @description An earlier call with this key made it. */
            duplicate: boolean;
            /**
             * @description `waiting`: it goes on by itself.
             * @enum {string}
             */
            state: "running" | "waiting" | "completed" | "exited" | "failed" | "cancelled";
            stateReason: string | null;
            /** @description The messages so far. */
            messages: {
                messageId: string;
                stepId: string;
                /** @enum {string} */
                status: "scheduled" | "queued" | "sending" | "sent" | "delivered" | "failed" | "bounced" | "skipped" | "cancelled";
                /** @description Why it is held back again, such as a suppression that still holds. */
                statusReason: string | null;
            }[];
        };
        SendToMe: {
            /**
             * @description The version of the campaign: `now` the published one, `then` that of the former run.
             * @default now
             * @enum {string}
             */
            version?: "now" | "then";
            /** @example u_42 */
            userId: string;
        };
        AgainRequest: {
            /** @enum {string} */
            kind: "messages";
            /** @description As the history has it. `status` says which messages were not sent. */
            filter: {
                campaignId?: string;
                userId?: string;
                /** @enum {string} */
                channel?: "inbox" | "email" | "nc";
                /** @enum {string} */
                status: "failed" | "skipped" | "cancelled" | "bounced";
                statusReason?: string;
                /** @enum {string} */
                engagement?: "none" | "read" | "opened" | "clicked";
                /** @description As in the record; empty: messages before any branch. */
                branch?: string;
                /** @enum {string} */
                window?: "24h" | "7d" | "30d" | "all";
                /** Format: date-time */
                from?: string;
                /** Format: date-time */
                to?: string;
                messageId?: string;
                correlationId?: string;
                eventId?: string;
            };
            /**
             * @default now
             * @enum {string}
             */
            version?: "now" | "then";
            /**
             * @description Of runs.
             * @default failed-step
             * @enum {string}
             */
            from?: "failed-step" | "start";
            /**
             * @description Items a minute.
             * @default 60
             */
            pace?: number;
            /**
             * @description Only counts the items.
             * @default false
             */
            dryRun?: boolean;
        } | {
            /** @enum {string} */
            kind: "runs";
            /** @description As the history has it: the runs of these messages, each once. */
            filter: {
                campaignId?: string;
                userId?: string;
                /** @enum {string} */
                channel?: "inbox" | "email" | "nc";
                /** @enum {string} */
                status: "failed" | "cancelled";
                statusReason?: string;
                /** @enum {string} */
                engagement?: "none" | "read" | "opened" | "clicked";
                /** @description As in the record; empty: messages before any branch. */
                branch?: string;
                /** @enum {string} */
                window?: "24h" | "7d" | "30d" | "all";
                /** Format: date-time */
                from?: string;
                /** Format: date-time */
                to?: string;
                messageId?: string;
                correlationId?: string;
                eventId?: string;
            };
            /**
             * @default now
             * @enum {string}
             */
            version?: "now" | "then";
            /**
             * @description Of runs.
             * @default failed-step
             * @enum {string}
             */
            from?: "failed-step" | "start";
            /**
             * @description Items a minute.
             * @default 60
             */
            pace?: number;
            /**
             * @description Only counts the items.
             * @default false
             */
            dryRun?: boolean;
        } | {
            /** @enum {string} */
            kind: "events";
            /** @description As the list of events has it. */
            filter: {
                name?: string;
                userId?: string;
                correlationId?: string;
                /** Format: date-time */
                from?: string;
                /** Format: date-time */
                to?: string;
            };
            /**
             * @default now
             * @enum {string}
             */
            version?: "now" | "then";
            /**
             * @description Of runs.
             * @default failed-step
             * @enum {string}
             */
            from?: "failed-step" | "start";
            /**
             * @description Items a minute.
             * @default 60
             */
            pace?: number;
            /**
             * @description Only counts the items.
             * @default false
             */
            dryRun?: boolean;
        };
        BegunAgain: {
            count: number;
            /** @description Null of a dry run, and where there is nothing to do. */
            job: {
                jobId: string;
                /** @enum {string} */
                kind: "messages" | "runs" | "events";
                /**
                 * @description `failed`: it was given up, and goes on when it is run again from there.
                 * @enum {string}
                 */
                state: "running" | "stopped" | "done" | "failed";
                /** @enum {string} */
                version: "now" | "then";
                /** @enum {string} */
                from: "failed-step" | "start";
                pace: number;
                /** @description How many there were when it began; of runs, their messages. */
                total: number;
                done: number;
                /** @description New runs or events; what is held back again has its record in the history. */
                made: number;
                /** @description What cannot run again, such as that of a campaign that is paused. */
                refused: number;
                by: string;
                /** Format: date-time */
                startedAt: string;
                /** Format: date-time */
                endedAt: string | null;
            } | null;
        };
        AgainJobPage: {
            data: components["schemas"]["AgainJob"][];
            nextCursor: string | null;
        };
        AgainJob: {
            jobId: string;
            /** @enum {string} */
            kind: "messages" | "runs" | "events";
            /**
             * @description `failed`: it was given up, and goes on when it is run again from there.
             * @enum {string}
             */
            state: "running" | "stopped" | "done" | "failed";
            /** @enum {string} */
            version: "now" | "then";
            /** @enum {string} */
            from: "failed-step" | "start";
            pace: number;
            /** @description How many there were when it began; of runs, their messages. */
            total: number;
            done: number;
            /** @description New runs or events; what is held back again has its record in the history. */
            made: number;
            /** @description What cannot run again, such as that of a campaign that is paused. */
            refused: number;
            by: string;
            /** Format: date-time */
            startedAt: string;
            /** Format: date-time */
            endedAt: string | null;
        };
        RunEventAgain: {
            /** @description A repeat with the same key answers the same, and does nothing more. */
            idempotencyKey?: string;
        };
        EventAgain: {
            /** @description Of the new event. */
            eventId: string;
            duplicate: boolean;
        };
        RunRunAgain: {
            /**
             * @description `failed-step`: what was sent before that step is not sent again; enrichers are asked again.
             * @default failed-step
             * @enum {string}
             */
            from?: "failed-step" | "start";
            /**
             * @description The version of the campaign: `now` the published one, `then` that of the former run.
             * @default now
             * @enum {string}
             */
            version?: "now" | "then";
            /** @description A repeat with the same key answers the same, and does nothing more. */
            idempotencyKey?: string;
        };
        User: {
            userId: string;
            email: string | null;
            name: string | null;
            locale: string | null;
            timeZone: string | null;
            attributes: {
                [key: string]: unknown;
            };
            externalIds: {
                [key: string]: string;
            };
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        Deleted: {
            /** @enum {boolean} */
            deleted: true;
        };
        /** @description Exactly one of the two. */
        MarkReadRequest: {
            entity?: string;
            messageIds?: string[];
        } & (unknown | unknown);
        UserPage: {
            data: components["schemas"]["User"][];
            nextCursor: string | null;
        };
        InboxMessage: {
            id: string;
            /** @description The seq of its creation. */
            seq: number;
            title: string;
            body: string;
            /** @enum {string} */
            bodyFormat: "text" | "markdown";
            link: string | null;
            actions: {
                label: string;
                link: string | null;
                /** @enum {string} */
                style: "default" | "primary" | "danger";
            }[];
            category: string | null;
            entity: string | null;
            icon: string | null;
            imageUrl: string | null;
            /** @enum {string} */
            priority: "low" | "normal" | "high" | "urgent";
            data: {
                [key: string]: unknown;
            };
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            expiresAt: string | null;
            unopened: boolean;
            /** Format: date-time */
            readAt: string | null;
            /** Format: date-time */
            openedAt: string | null;
            /** Format: date-time */
            clickedAt: string | null;
            /** Format: date-time */
            archivedAt: string | null;
            /** Format: date-time */
            snoozedUntil: string | null;
        };
        Inbox: {
            epoch: string;
            seq: number;
            /** @description The badge: messages with a dot that were never rendered. */
            unread: number;
            /** @description Messages with a dot. */
            unopened: number;
        };
        Preferences: {
            categories: {
                key: string;
                name: string;
                /** @description Always sent, whatever the preferences are. */
                critical: boolean;
                channels: {
                    inbox: boolean;
                    /** @description Present only if the environment can send on this channel. */
                    email?: boolean;
                };
            }[];
            quietHours: {
                /**
                 * @description HH:MM
                 * @example 22:00
                 */
                start: string;
                /**
                 * @description HH:MM
                 * @example 22:00
                 */
                end: string;
                timeZone: string;
            } | null;
        };
        UserTopicPage: {
            data: string[];
            nextCursor: string | null;
        };
        UserExport: {
            /** Format: date-time */
            exportedAt: string;
            environment: string;
            user: components["schemas"]["User"];
            preferences: {
                [key: string]: unknown;
            };
            topics: string[];
            suppressions: {
                channel: string;
                reason: string;
                /** Format: date-time */
                createdAt: string;
            }[];
            /** @description As `GET /v1/events`, without other recipients. */
            events: {
                [key: string]: unknown;
            }[];
            /** @description As `GET /v1/deliveries/{messageId}`. */
            deliveries: {
                [key: string]: unknown;
            }[];
        };
        TopicPage: {
            data: components["schemas"]["Topic"][];
            nextCursor: string | null;
        };
        Topic: {
            key: string;
            /** @description At most 1000 are counted. */
            subscribers: number;
            /** @description There may be more. */
            subscribersCapped: boolean;
            /** Format: date-time */
            createdAt: string;
        };
        SubscriberPage: {
            data: string[];
            nextCursor: string | null;
            /** @description Of those who have one; with `names=true`. */
            names?: {
                [key: string]: string;
            };
        };
        /** @description A user may be in only one of the two lists. */
        SubscriberChange: {
            /** @default [] */
            add?: string[];
            /** @default [] */
            remove?: string[];
        };
        SuppressionPage: {
            data: components["schemas"]["Suppression"][];
            nextCursor: string | null;
        };
        Suppression: {
            /** @enum {string} */
            channel: "inbox" | "email";
            /** @enum {string} */
            reason: "bounce" | "complaint" | "unsubscribe" | "manual";
            /** Format: date-time */
            createdAt: string;
        };
        /** @description For exactly one of the two. */
        NewSuppression: {
            userId?: string;
            address?: string;
            /**
             * @default email
             * @enum {string}
             */
            channel?: "inbox" | "email";
            /**
             * @default manual
             * @enum {string}
             */
            reason?: "bounce" | "complaint" | "unsubscribe" | "manual";
        } & (unknown | unknown);
        CampaignPage: {
            data: components["schemas"]["Campaign"][];
            nextCursor: string | null;
        };
        Campaign: {
            id: string;
            key: string;
            name: string;
            category: string | null;
            /** @enum {string} */
            status: "draft" | "active" | "paused" | "archived";
            currentVersion: number | null;
            draft: components["schemas"]["StoredCampaignDefinition"];
            /** @description Asks a second person, where the environment has `requirePublishApproval`. Absent: nothing is asked. */
            pendingPublish?: {
                /** @enum {string} */
                state: "waiting" | "changed" | "declined";
                /** @description The e-mail address of the person who asked. */
                askedBy: string;
                /** Format: date-time */
                askedAt: string;
                note: string | null;
                /** @description The revision with the draft that it asks for. It names the request, also after later revisions. */
                revision: number;
                /** @description Who declined it, or changed the draft or its texts. */
                endedBy: string | null;
                /** Format: date-time */
                endedAt: string | null;
                /** @description Why it was declined, or which texts have changed. */
                reason: string | null;
            };
            /** @description Rises with each change. The ETag is this number in quotes, for `If-Match`. */
            revision: number;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        StoredCampaignDefinition: {
            /** @description Unique in the environment; it stays as it is. */
            key: string;
            name: string;
            category: string | null;
            notificationConfigId: string | null;
            /** Format: duration */
            maxLateness: string;
            trigger: {
                /**
                 * Format: event-name
                 * @description Words of letters and digits, joined by one of ` . _ : / -`.
                 */
                event: string;
                where?: string | null;
            };
            steps: components["schemas"]["Step"][];
        };
        Step: components["schemas"]["InboxStep"] | components["schemas"]["EmailStep"] | components["schemas"]["BranchStep"] | components["schemas"]["DelayStep"] | components["schemas"]["EnrichStep"] | components["schemas"]["WaitForStep"] | components["schemas"]["ExitStep"] | components["schemas"]["ThrottleStep"] | components["schemas"]["DigestStep"];
        /** @description A message into the user's inbox. */
        InboxStep: {
            /** @description Unique in the campaign. */
            id: string;
            /** @constant */
            type: "inbox";
            /**
             * Format: liquid
             * @description Liquid template.
             */
            title: string;
            body?: string | null;
            bodyFormat?: ("text" | "markdown") | null;
            link?: string | null;
            /** @description Liquid template of a named icon or of the address of an image. */
            icon?: string | null;
            imageUrl?: string | null;
            entity?: string | null;
            collapseKey?: string | null;
            actions?: {
                /**
                 * Format: liquid
                 * @description Liquid template.
                 */
                label: string;
                link?: string | null;
                style?: ("default" | "primary" | "danger") | null;
            }[] | null;
            priority?: ("low" | "normal" | "high" | "urgent") | null;
            expiresAfter?: string | null;
            data?: {
                [key: string]: unknown;
            } | null;
            locales?: {
                [key: string]: {
                    title?: string | null;
                    body?: string | null;
                } | null;
            } | null;
        };
        /** @description A mail to the user's address. Exactly one of `html` and `markdown`. */
        EmailStep: {
            /** @description Unique in the campaign. */
            id: string;
            /** @constant */
            type: "email";
            /**
             * Format: liquid
             * @description Liquid template.
             */
            subject: string;
            html?: string | null;
            markdown?: string | null;
            text?: string | null;
            preheader?: string | null;
            locales?: {
                [key: string]: {
                    subject?: string | null;
                    html?: string | null;
                    markdown?: string | null;
                    text?: string | null;
                    preheader?: string | null;
                } | null;
            } | null;
            from?: string | null;
            replyTo?: string | null;
            cc?: (string[] | string | string[]) | null;
            bcc?: (string[] | string | string[]) | null;
            headers?: {
                [key: string]: string;
            } | null;
            attachments?: {
                /**
                 * Format: liquid
                 * @description Liquid template.
                 */
                filename: string;
                /** @description Liquid template of the address from which the file is fetched when the mail is sent. */
                url?: string | null;
                content?: string | null;
                contentType?: string | null;
            }[] | null;
            unless?: {
                /** @description The id of an inbox step before this one. */
                read: string;
            } | null;
        };
        /** @description Takes the first branch whose condition holds, else one by weight (the same for a user each time), else the else. */
        BranchStep: {
            /** @description Unique in the campaign. */
            id: string;
            /** @constant */
            type: "branch";
            branches: components["schemas"]["Branch"][];
        };
        /** @description Exactly one of `when`, `weight` and `else`. */
        Branch: {
            key: string;
            steps: components["schemas"]["Step"][];
            when?: string | null;
            weight?: number | null;
            else?: boolean | null;
        };
        /** @description The run waits. Exactly one of `for`, `until` and `untilQuietHoursEnd`. */
        DelayStep: {
            /** @description Unique in the campaign. */
            id: string;
            /** @constant */
            type: "delay";
            for?: string | null;
            until?: (string | number) | null;
            untilQuietHoursEnd?: true | null;
        };
        /** @description Calls an enricher; its answer is `enriched.<id>`. */
        EnrichStep: {
            /** @description Unique in the campaign. */
            id: string;
            /** @constant */
            type: "enrich";
            enricher: string;
            params?: {
                [key: string]: unknown;
            } | null;
            onError?: ("stop" | "continue") | null;
        };
        /** @description Waits for another event of the same user: `then` when it comes, `onTimeout` when it does not. */
        WaitForStep: {
            /** @description Unique in the campaign. */
            id: string;
            /** @constant */
            type: "waitFor";
            /**
             * Format: event-name
             * @description Words of letters and digits, joined by one of ` . _ : / -`.
             */
            event: string;
            /**
             * Format: duration
             * @description ISO 8601 duration.
             */
            timeout: string;
            then?: components["schemas"]["Step"][] | null;
            onTimeout?: components["schemas"]["Step"][] | null;
            where?: string | null;
        };
        /** @description Ends the run. */
        ExitStep: {
            /** @description Unique in the campaign. */
            id: string;
            /** @constant */
            type: "exit";
            reason?: string | null;
        };
        /** @description Lets `limit` runs of a user pass in a window; the others end here. */
        ThrottleStep: {
            /** @description Unique in the campaign. */
            id: string;
            /** @constant */
            type: "throttle";
            limit: number;
            /**
             * Format: duration
             * @description ISO 8601 duration.
             */
            window: string;
        };
        /** @description Gathers a user's events of a window for one run. */
        DigestStep: {
            /** @description Unique in the campaign. */
            id: string;
            /** @constant */
            type: "digest";
            /**
             * Format: duration
             * @description ISO 8601 duration.
             */
            window: string;
            /** @description Liquid template: events with different keys are gathered separately. */
            key?: string | null;
            max?: number | null;
        };
        CampaignDefinition: {
            /** @description Unique in the environment; it stays as it is. */
            key: string;
            name?: string | null;
            category?: string | null;
            notificationConfigId?: string | null;
            maxLateness?: string | null;
            trigger: {
                /**
                 * Format: event-name
                 * @description Words of letters and digits, joined by one of ` . _ : / -`.
                 */
                event: string;
                where?: string | null;
            };
            steps: components["schemas"]["Step"][];
        };
        SavedCampaign: components["schemas"]["Campaign"] & {
            /** @description Translations and enrichers that are missing, fields that there are not, properties that no event had; of publishing, also its mails. */
            warnings: {
                /** @description Of the source, such as `html` or `layout`. */
                path: string;
                /** @description In that source; null where it is not known. */
                line: number | null;
                message: string;
            }[];
        };
        CampaignCounts: {
            total: number;
            draft: number;
            active: number;
            paused: number;
            archived: number;
            /** @description Those whose publishing waits for a second person. */
            awaitingApproval: number;
        };
        CampaignDraft: {
            /** @description Unique in the environment; it stays as it is. */
            key?: string;
            name?: string | null;
            category?: string | null;
            notificationConfigId?: string | null;
            maxLateness?: string | null;
            trigger: {
                /**
                 * Format: event-name
                 * @description Words of letters and digits, joined by one of ` . _ : / -`.
                 */
                event: string;
                where?: string | null;
            };
            steps: components["schemas"]["Step"][];
        };
        CampaignVersionPage: {
            data: components["schemas"]["CampaignVersion"][];
            nextCursor: string | null;
        };
        CampaignVersion: {
            version: number;
            /** Format: date-time */
            publishedAt: string;
            /** @description A person, a key by its id, or a command, as in the audit log. */
            publishedBy: string | null;
            note: string | null;
            definition: components["schemas"]["StoredCampaignDefinition"] & (Record<string, never> | null);
        };
        PublishRequest: {
            /** @description Why, for whoever reads the versions. */
            note?: string;
        };
        PreviewRequest: {
            stepId: string;
            event?: components["schemas"]["SampleEvent"];
            user?: components["schemas"]["SampleUser"];
            enriched?: {
                [key: string]: unknown;
            };
            /** @description A definition in place of the stored draft, not saved: with the same faults as by saving it. */
            definition?: {
                [key: string]: unknown;
            };
        };
        SampleEvent: {
            name?: string;
            properties?: {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            occurredAt?: string | number;
            /** @example u_42 */
            userId?: string;
        };
        SampleUser: {
            id?: string;
            email?: string | null;
            name?: string | null;
            locale?: string | null;
            timeZone?: string | null;
            attributes?: {
                [key: string]: unknown;
            };
        };
        MessageContent: {
            title: string;
            body: string;
            /** @enum {string} */
            bodyFormat: "text" | "markdown";
            link: string | null;
            actions: {
                label: string;
                link: string | null;
                /** @enum {string} */
                style: "default" | "primary" | "danger";
            }[];
            category: string | null;
            entity: string | null;
            icon: string | null;
            imageUrl: string | null;
            /** @enum {string} */
            priority: "low" | "normal" | "high" | "urgent";
            data: {
                [key: string]: unknown;
            };
            /** @description The parts of the email; only of an email step. */
            email?: {
                subject: string;
                preheader: string | null;
                html: string | null;
                markdown: string | null;
                text: string | null;
                /** @description Stands in the parts, in place of the recipient's own links, until the mail is sent. */
                linkMark?: string;
                /** @description The recipient; null in a preview without an address. */
                to: {
                    name: string | null;
                    address: string;
                } | null;
                /** @description The sender that the step names. */
                from?: {
                    name: string | null;
                    address: string;
                };
                replyTo?: string;
                cc?: string[];
                bcc?: string[];
                headers?: {
                    [key: string]: string;
                };
                /** @description Without `url`: its content is in the step, at this place. */
                attachments?: {
                    place: number;
                    filename: string;
                    url: string | null;
                    contentType: string | null;
                }[];
                /** @description The locale of the body, of a step with locales; null for the step's own texts. */
                lang?: string | null;
            };
            /** @description Of an email step, as it would be sent; so are the next four. */
            subject?: string;
            preheader?: string | null;
            /** @description With its layout and inlined styles; links are not tracked. */
            html?: string;
            text?: string;
            from?: {
                name: string | null;
                address: string;
            };
            /** @description Size of the HTML in bytes. Gmail cuts mails at 102 KB. */
            htmlBytes?: number;
            warnings?: {
                /** @description Of the source, such as `html` or `layout`. */
                path: string;
                /** @description In that source; null where it is not known. */
                line: number | null;
                message: string;
            }[];
            /** @description What cannot have been meant, such as an unknown variable; only where `?doubts=true` asks for it, absent when that is nothing. */
            doubts?: components["schemas"]["TriedDoubt"][];
        };
        TriedDoubt: {
            /** @enum {string} */
            kind: "unknown-variable" | "condition-error" | "text-compared" | "missing-translation" | "link-dropped" | "mail-too-large" | "invalid-email" | "unknown-locale" | "unknown-time-zone" | "external-id-taken" | "unknown-user" | "unmapped-type" | "unheard-event";
            message: string;
            example: string | null;
        };
        DryRunRequest: {
            event?: components["schemas"]["SampleEvent"];
            user?: components["schemas"]["SampleUser"];
            /** @description A definition in place of the stored draft, not saved: with the same faults as by saving it. */
            definition?: {
                [key: string]: unknown;
            };
        };
        DryRun: {
            matched: boolean;
            reason: string | null;
            steps: {
                stepId: string;
                type: string;
                outcome: string;
                reason: string | null;
                /** @description As in the trace of a run. */
                inputs: {
                    [key: string]: unknown;
                };
            }[];
            /** @description What cannot have been meant, such as an unknown variable; only where `?doubts=true` asks for it, absent when that is nothing. */
            doubts?: components["schemas"]["TriedDoubt"][];
        };
        TestRequest: {
            /** @example u_42 */
            userId: string;
            event?: components["schemas"]["SampleEvent"];
            /** @description A definition in place of the stored draft, not saved: with the same faults as by saving it. */
            definition?: {
                [key: string]: unknown;
            };
            /** @description Mails go to the address of the person who is signed in to the dashboard. */
            toOwnAddress?: boolean;
        };
        CampaignTest: {
            messageIds: string[];
            /** @description `delivered` in the inbox, or `queued` for mail; else why it was not sent. */
            messages: {
                messageId: string;
                stepId: string;
                status: string;
                statusReason: string | null;
            }[];
            /** @description What cannot have been meant, such as an unknown variable; only where `?doubts=true` asks for it, absent when that is nothing. */
            doubts?: components["schemas"]["TriedDoubt"][];
            /** @description The mails among the messages, as far as they can be composed. */
            mails: {
                messageId: string;
                /** @description Size of the HTML in bytes. Gmail cuts mails at 102 KB. */
                htmlBytes: number;
                warnings: {
                    /** @description Of the source, such as `html` or `layout`. */
                    path: string;
                    /** @description In that source; null where it is not known. */
                    line: number | null;
                    message: string;
                }[];
            }[];
        };
        ExplainRequest: {
            /** @example u_42 */
            userId: string;
            event?: components["schemas"]["SampleEvent"];
            /** @description A tracked event, in place of `event`. */
            eventId?: string;
            /** @description A definition in place of the stored draft, not saved: with the same faults as by saving it. */
            definition?: {
                [key: string]: unknown;
            };
        };
        Explanation: {
            matched: boolean;
            reason: string | null;
            /** @description Whether the event begins a run for the user, and why not. */
            sentence: string;
            remedy?: components["schemas"]["Remedy"];
            steps: {
                stepId: string;
                type: string;
                outcome: string;
                reason: string | null;
                /**
                 * Format: date-time
                 * @description When the step would be reached, if no event ends a wait before.
                 */
                at: string;
                sentence: string;
                remedy?: components["schemas"]["Remedy"];
                /** @description As in the trace of a run. */
                inputs: {
                    [key: string]: unknown;
                };
            }[];
            /** @description What may make it otherwise, or cannot have been meant. */
            doubts: {
                kind: string;
                message: string;
                remedy?: components["schemas"]["Remedy"];
            }[];
        };
        /** @description Where it is changed: of the definition its `path` or step, else what it names. */
        Remedy: {
            /** @enum {string} */
            kind: "trigger" | "condition" | "step" | "publish" | "resume" | "user" | "suppression" | "preference" | "category" | "mail-account" | "sandbox" | "enricher";
            /** @description Of the field of the definition. */
            path?: string;
            stepId?: string;
            userId?: string;
            address?: string;
            /** @enum {string} */
            channel?: "inbox" | "email";
            category?: string;
            enricher?: string;
        };
        Funnel: {
            /** @enum {string} */
            window: "24h" | "7d" | "30d" | "all";
            /** @enum {string} */
            channel: "inbox" | "email";
            steps: components["schemas"]["FunnelStep"][];
            branches?: {
                version: number;
                branch: string | null;
                steps: components["schemas"]["FunnelStep"][];
            }[];
        };
        FunnelStep: {
            /** @enum {string} */
            step: "delivery" | "read" | "opened" | "clicked";
            count: number;
            percentOfPrevious: number | null;
        };
        TextChangesRequest: {
            /** @description A definition in place of the stored draft, not saved: with the same faults as by saving it. */
            definition?: {
                [key: string]: unknown;
            };
        };
        TextChanges: {
            changes: components["schemas"]["TextChange"][];
            /** @description Of all; `changes` has the first 200. */
            total: number;
        };
        TextChange: {
            /** @enum {string} */
            kind: "snippet" | "translation" | "default-locale";
            /** @description Of a snippet its name, of a translation its key, else empty. */
            name: string;
            /** @description Of a translation. */
            locale: string | null;
            /** @description As the published version has it; null where it does not use it. */
            before: string | null;
            /** @description Null of a translation that is gone: that of the default locale stands in for it, if there is one. */
            after: string | null;
        };
        FunnelSeries: {
            /** @enum {string} */
            window: "24h" | "7d" | "30d" | "all";
            /** @enum {string} */
            channel: "inbox" | "email";
            /** @enum {string} */
            unit: "hour" | "day";
            /** @description Oldest first, without gaps; hours and days of UTC. */
            points: {
                /** Format: date-time */
                at: string;
                delivery: number;
                read: number;
                opened: number;
                clicked: number;
            }[];
        };
        FlowStats: {
            campaignId: string;
            version: number;
            /** @enum {string} */
            window: "24h" | "7d" | "30d";
            /** Format: date-time */
            since: string;
            runs: {
                started: number;
                /** @description Now, whatever the window. */
                waiting: number;
                completed: number;
                exited: number;
                failed: number;
                cancelled: number;
            };
            /** @description All steps of the version in their written order, inner steps after the step that has them. */
            steps: components["schemas"]["FlowStepStats"][];
        };
        FlowStepStats: {
            stepId: string;
            type: string;
            /** @description Runs that came to the step before they ended. One that is retried or resumed counts once. */
            reached: number;
            /** @description Runs that wait at the step now, whatever the window. */
            waiting: number;
            /** @description By outcome of the trace: `done`, `taken`, `not-taken`, `skipped`, `failed`, `exited`; also of runs that ended before the step. */
            outcomes: {
                [key: string]: number;
            };
            /** @description Why runs or messages were held back or failed, by code. */
            reasons: {
                [key: string]: number;
            };
            /** @description Of a `branch`: by key of the branch. Of a `waitFor`: `taken` (`then`) and `not-taken` (`onTimeout`). */
            ways: {
                [key: string]: number;
            };
            /** @description Messages of a step that sends; null for other steps. */
            funnel: {
                delivery: number;
                read: number;
                opened: number;
                clicked: number;
            } | null;
        };
        EnvironmentStats: {
            /** @enum {string} */
            window: "24h" | "7d" | "30d" | "all";
            /** @enum {string} */
            channel: "inbox" | "email";
            steps: components["schemas"]["FunnelStep"][];
            /** @description Messages that were not sent, by reason; of those that retention has left. */
            outcomes: {
                skipped: {
                    [key: string]: number;
                };
                failed: {
                    [key: string]: number;
                };
            };
        };
        EnvironmentSeries: {
            /** @enum {string} */
            window: "24h" | "7d" | "30d" | "all";
            /** @enum {string} */
            channel: "inbox" | "email";
            /** @enum {string} */
            unit: "hour" | "day";
            /** @description Oldest first, without gaps; hours and days of UTC. */
            points: {
                /** Format: date-time */
                at: string;
                delivery: number;
                read: number;
                opened: number;
                clicked: number;
            }[];
            /** @description The sums of as long a time before the window; null for `all`. */
            previous: {
                delivery: number;
                read: number;
                opened: number;
                clicked: number;
            } | null;
        };
        CampaignDaysPage: {
            /** @enum {string} */
            channel: "inbox" | "email";
            /**
             * Format: date-time
             * @description The first of 30 days of UTC; the last one is today.
             */
            from: string;
            data: {
                campaignId: string;
                campaignName: string | null;
                deliveries: number[];
            }[];
            nextCursor: string | null;
        };
        OnlineUsers: {
            /** @description Users with a connected widget, on all nodes. One who is connected to two nodes counts twice. */
            online: number;
        };
        EnricherPage: {
            data: components["schemas"]["Enricher"][];
            nextCursor: string | null;
        };
        Enricher: {
            name: string;
            url: string;
            timeoutMs: number;
            cacheSeconds: number;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        EnricherSettings: {
            /**
             * Format: uri
             * @description https, without user, password, fragment or a parameter `name`.
             */
            url: string;
            /** @default 5000 */
            timeoutMs?: number;
            /** @default 0 */
            cacheSeconds?: number;
        };
        EnricherTrial: {
            params?: {
                [key: string]: unknown;
            };
            /** @description Default: an example user with the id `test`. */
            user?: {
                [key: string]: unknown;
            };
            /** @description Default: an example event. */
            event?: {
                [key: string]: unknown;
            };
        };
        EnricherTrialAnswer: {
            ok: boolean;
            name: string;
            data?: unknown;
            error?: {
                /** @enum {string} */
                code: "input-invalid" | "hmac-invalid" | "enricher-not-found" | "handler-error" | "internal" | "unknown-enricher" | "no-signing-secret" | "params-too-large" | "timeout" | "unreachable" | "bad-certificate" | "blocked-address" | "redirect" | "too-large" | "bad-answer" | "bad-status" | "rate-limited" | "circuit-open" | "busy";
                message: string;
                reason?: string;
            };
            attempts: number;
            durationMs: number;
        };
        TranslationPage: {
            data: components["schemas"]["TranslationSummary"][];
            nextCursor: string | null;
        };
        TranslationSummary: {
            locale: string;
            /** @description Its messages stand in for missing ones. */
            isDefault: boolean;
            keys: number;
            /** @description Keys of the default locale that it lacks. */
            missingCount: number;
            /** @description The first 20 of them. */
            missing: string[];
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        Translation: {
            locale: string;
            messages: {
                [key: string]: string;
            };
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        /**
         * @description ICU messages by key. Those of nested objects have joined keys, such as `order.shipped`.
         * @example {
         *       "order.shipped": "{count, plural, one {# order} other {# orders}} shipped"
         *     }
         */
        TranslationMessages: {
            [key: string]: unknown;
        };
        SnippetPage: {
            data: components["schemas"]["SnippetSummary"][];
            nextCursor: string | null;
        };
        SnippetSummary: {
            name: string;
            chars: number;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        Snippet: {
            name: string;
            source: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        SnippetContent: {
            /** @description A template in Liquid. */
            source: string;
        };
        KeptMailPage: {
            data: components["schemas"]["KeptMail"][];
            nextCursor: string | null;
        };
        KeptMail: {
            messageId: string;
            from: {
                name: string | null;
                address: string;
            };
            to: {
                name: string | null;
                address: string;
            };
            subject: string;
            /** Format: date-time */
            createdAt: string;
        };
        KeptMailDetail: {
            messageId: string;
            from: {
                name: string | null;
                address: string;
            };
            to: {
                name: string | null;
                address: string;
            };
            subject: string;
            /** Format: date-time */
            createdAt: string;
            html: string;
            text: string;
            /** @description The whole mail (RFC 5322). */
            eml: string;
        };
        EmailProviderPage: {
            data: components["schemas"]["EmailProvider"][];
            nextCursor: string | null;
        };
        EmailProvider: {
            /** @enum {string} */
            name: "smtp" | "sendgrid" | "postmark" | "mailgun" | "ses" | "resend" | "brevo" | "mailjet";
            title: string;
            fields: {
                name: string;
                /** @description One line for people. */
                label: string;
                isSecret: boolean;
                isRequired: boolean;
                values?: string[];
                byDefault?: string;
            }[];
        };
        EmailIntegrationList: {
            data: components["schemas"]["EmailIntegration"][];
            nextCursor: string | null;
            /**
             * @description How mails of the environment go. `none`: production without a mail server, its mails are skipped.
             * @enum {string}
             */
            way: "integration" | "server" | "mailbox" | "none";
        };
        EmailIntegration: {
            id: string;
            name: string;
            /** @enum {string} */
            provider: "smtp" | "sendgrid" | "postmark" | "mailgun" | "ses" | "resend" | "brevo" | "mailjet";
            from: {
                name: string | null;
                address: string;
            } | null;
            priority: number;
            maxPerSecond: number | null;
            /** @description The fields of the credentials that are no secrets, such as `host`, `port` and `user`. */
            account: {
                [key: string]: string;
            };
            /** @description Null: the provider reports nothing. */
            webhookUrl: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            revision: number;
            state: {
                /** Format: date-time */
                lastSentAt: string | null;
                /** Format: date-time */
                lastErrorAt: string | null;
                lastError: string | null;
                /** Format: date-time */
                lastWebhookAt: string | null;
            };
        };
        NewEmailIntegration: {
            name: string;
            /** @enum {string} */
            provider: "smtp" | "sendgrid" | "postmark" | "mailgun" | "ses" | "resend" | "brevo" | "mailjet";
            /** @description The sender where the notification config names none. */
            from?: {
                name?: string | null;
                /** Format: email */
                address: string;
            } | null;
            /** @default 1 */
            priority?: number;
            /** @description Mails that are handed over in a second at most, over all nodes; null: as many as the provider takes. */
            maxPerSecond?: number | null;
            /** @description By field of the provider; never answered. */
            credentials: {
                [key: string]: string;
            };
        };
        ChangedEmailIntegration: {
            id: string;
            name: string;
            /** @enum {string} */
            provider: "smtp" | "sendgrid" | "postmark" | "mailgun" | "ses" | "resend" | "brevo" | "mailjet";
            from: {
                name: string | null;
                address: string;
            } | null;
            priority: number;
            maxPerSecond: number | null;
            /** @description The fields of the credentials that are no secrets, such as `host`, `port` and `user`. */
            account: {
                [key: string]: string;
            };
            /** @description Null: the provider reports nothing. */
            webhookUrl: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            revision: number;
            state: {
                /** Format: date-time */
                lastSentAt: string | null;
                /** Format: date-time */
                lastErrorAt: string | null;
                lastError: string | null;
                /** Format: date-time */
                lastWebhookAt: string | null;
            };
            /** @description Only where the password is new: it is not shown again. */
            webhookCredentials?: {
                username: string;
                password: string;
            };
        };
        EmailIntegrationChange: {
            name: string;
            /** @enum {string} */
            provider: "smtp" | "sendgrid" | "postmark" | "mailgun" | "ses" | "resend" | "brevo" | "mailjet";
            /** @description The sender where the notification config names none. */
            from?: {
                name?: string | null;
                /** Format: email */
                address: string;
            } | null;
            /** @default 1 */
            priority?: number;
            /** @description Mails that are handed over in a second at most, over all nodes; null: as many as the provider takes. */
            maxPerSecond?: number | null;
            /** @description Replaced as a whole; absent: the stored ones stay. */
            credentials?: {
                [key: string]: string;
            };
            rotateWebhookPassword?: boolean;
        };
        EmailIntegrationTest: {
            /**
             * Format: email
             * @description Default: the address of the person who calls from the dashboard.
             */
            to?: string;
        };
        EmailIntegrationTestAnswer: {
            ok: boolean;
            providerMessageId?: string | null;
            /** @description The provider's answer in words. */
            error?: string;
        };
        EmailDomainFindingPage: {
            data: components["schemas"]["EmailDomainFinding"][];
            nextCursor: string | null;
        };
        EmailDomainFinding: {
            domain: string;
            /** @description Null: the server itself, or all of them. */
            integration: string | null;
            /** @enum {string} */
            kind: "spf" | "dkim" | "dmarc";
            /**
             * @description `unknown`: the name servers do not answer, or only the provider knows.
             * @enum {string}
             */
            verdict: "ok" | "missing" | "wrong" | "unknown";
            words: string;
            /** @description The records of the kind that exist. */
            found: string[];
            /** @description To copy to the name servers of the domain. */
            record: {
                name: string;
                /** @enum {string} */
                type: "TXT";
                value: string;
            } | null;
        };
        SourceList: {
            data: components["schemas"]["Source"][];
            nextCursor: string | null;
        };
        Source: {
            id: string;
            name: string;
            /** @enum {string} */
            provider: "segment" | "stripe" | "hubspot" | "intercom" | "customerio" | "hmac" | "standardwebhooks";
            /** @enum {string} */
            status: "active" | "paused";
            /**
             * Format: uri
             * @description The address that the platform calls.
             */
            url: string;
            mappings: components["schemas"]["SourceMapping"][];
            requireV3: boolean;
            allowUnsignedBatchTail: boolean;
            settings: components["schemas"]["HmacSettings"];
            secret: {
                /** @enum {string} */
                state: "single" | "overlap";
                /** Format: date-time */
                createdAt: string;
                /**
                 * Format: date-time
                 * @description The end of the old value of an overlap.
                 */
                retiresAt: string | null;
                /** Format: date-time */
                lastUsedAt: string | null;
                /**
                 * Format: date-time
                 * @description Of an overlap: when the old value was last used.
                 */
                oldLastUsedAt: string | null;
            };
            /**
             * Format: date-time
             * @description Of the last delivery with a valid signature.
             */
            lastReceivedAt: string | null;
            /**
             * Format: date-time
             * @description Of the last item that was refused or unreadable.
             */
            lastErrorAt: string | null;
            lastError: string | null;
            counts: {
                accepted: number;
                duplicates: number;
                refused: number;
                unreadable: number;
                /** @description Items that arrived during a pause. */
                dropped: number;
            };
            run: components["schemas"]["SourceRun"];
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            revision: number;
        };
        SourceMapping: {
            /** @description The platform's type; `*`: every type without its own mapping. */
            providerEvent: string;
            /** @description The event's name; null: the platform's name of it. */
            event: string | null;
            /** @description Dotted, from the item, or a list of which the first that holds an id counts; `external:stripe:<path>` looks up by external id; null: the platform's own. */
            userIdPath: string | string[] | null;
            /** @description The properties; empty: the whole item; null: the platform's own. */
            propertiesPath: string | null;
            /** @description Traits that `identify` writes to the profile, beside name, e-mail, locale and time zone. */
            traits?: string[];
            /** @description Leaves the items out: they are counted as dropped. */
            drop?: boolean;
            /**
             * @description A condition on `event` and `user.id`; items for which it does not hold are dropped.
             * @example event.properties.total > 100
             */
            where?: string;
            identify?: components["schemas"]["SourceIdentify"];
            /** @description The topic that the user joins. */
            joinTopic?: string;
        };
        /** @description Paths of what goes to the profile of the user. */
        SourceIdentify: {
            name?: string;
            email?: string;
            locale?: string;
            timeZone?: string;
            attributes?: {
                [key: string]: string;
            };
            externalIds?: {
                [key: string]: string;
            };
        };
        /** @description Of the provider hmac: how its deliveries are signed. */
        HmacSettings: {
            header: string;
            /** @enum {string} */
            algorithm: "sha256" | "sha512" | "sha1" | "basic";
            /** @enum {string} */
            encoding: "hex" | "base64";
            /** @description Before the signature, such as `sha256=`, or `v1=` in a header of several parts. */
            prefix?: string;
            /**
             * @description Of body, timestamp, url and method.
             * @example timestamp.body
             */
            signedString: string;
            /** @description Default: the header of the signature. */
            timestampHeader?: string;
            /** @description Before the time, such as `t=`. */
            timestampPrefix?: string;
            /** @description Default: 300. */
            toleranceSeconds?: number;
            /** @description A path, or `header:` and a name. */
            idPath: string;
            /** @description A path, or `header:` and a name. */
            typePath: string;
        } | null;
        /** @description The last run of kept deliveries. */
        SourceRun: {
            /**
             * @description `failed`: it was given up, and goes on when it is run again from there.
             * @enum {string}
             */
            state: "running" | "stopped" | "done" | "failed";
            /** Format: date-time */
            from: string;
            /** Format: date-time */
            to: string;
            /**
             * @description Deliveries of this outcome alone; null: all.
             * @enum {string|null}
             */
            outcome: "accepted" | "unreadable" | "duplicate" | "refused" | "dropped" | null;
            /** @description How many it has. */
            deliveries: number;
            /** @description Bodies a minute; null: as many as there is time for. */
            pace: number | null;
            done: number;
            /** @description New events. */
            accepted: number;
            refused: number;
            /** Format: date-time */
            startedAt: string;
            /** Format: date-time */
            endedAt: string | null;
        } | null;
        NewSource: {
            settings?: components["schemas"]["HmacSettings"];
            name: string;
            /** @description Of a new source, by default: those of the platform. */
            mappings?: components["schemas"]["SourceMappingBody"][];
            /** @description HubSpot: refuse the former signatures. On in a new source. */
            requireV3?: boolean;
            /** @description Segment: take the items of a batch that its signature does not cover. */
            allowUnsignedBatchTail?: boolean;
            /** @enum {string} */
            provider: "segment" | "stripe" | "hubspot" | "intercom" | "customerio" | "hmac" | "standardwebhooks";
            /** @description As the platform dictates it; default: a new one. */
            verificationSecret?: string;
        };
        SourceMappingBody: {
            providerEvent: string;
            /** @default null */
            event?: string | null;
            /**
             * @description Dotted, from the item, or a list of which the first that holds an id counts; `external:stripe:<path>` looks up by external id; null: the platform's own.
             * @default null
             */
            userIdPath?: string | string[] | null;
            /** @default null */
            propertiesPath?: string | null;
            traits?: string[];
            /** @description Leaves the items out: they are counted as dropped. */
            drop?: boolean;
            /**
             * @description A condition on `event` and `user.id`; items for which it does not hold are dropped.
             * @example event.properties.total > 100
             */
            where?: string;
            identify?: components["schemas"]["SourceIdentify"];
            /** @description The topic that the user joins. */
            joinTopic?: string;
        };
        CreatedSource: {
            id: string;
            name: string;
            /** @enum {string} */
            provider: "segment" | "stripe" | "hubspot" | "intercom" | "customerio" | "hmac" | "standardwebhooks";
            /** @enum {string} */
            status: "active" | "paused";
            /**
             * Format: uri
             * @description The address that the platform calls.
             */
            url: string;
            mappings: components["schemas"]["SourceMapping"][];
            requireV3: boolean;
            allowUnsignedBatchTail: boolean;
            settings: components["schemas"]["HmacSettings"];
            secret: {
                /** @enum {string} */
                state: "single" | "overlap";
                /** Format: date-time */
                createdAt: string;
                /**
                 * Format: date-time
                 * @description The end of the old value of an overlap.
                 */
                retiresAt: string | null;
                /** Format: date-time */
                lastUsedAt: string | null;
                /**
                 * Format: date-time
                 * @description Of an overlap: when the old value was last used.
                 */
                oldLastUsedAt: string | null;
            };
            /**
             * Format: date-time
             * @description Of the last delivery with a valid signature.
             */
            lastReceivedAt: string | null;
            /**
             * Format: date-time
             * @description Of the last item that was refused or unreadable.
             */
            lastErrorAt: string | null;
            lastError: string | null;
            counts: {
                accepted: number;
                duplicates: number;
                refused: number;
                unreadable: number;
                /** @description Items that arrived during a pause. */
                dropped: number;
            };
            run: components["schemas"]["SourceRun"];
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            revision: number;
            /** @description Shown this once. */
            verificationSecret: string;
        };
        /** @description Absent fields stay. */
        SourceChange: {
            /** @description Null, as it is answered, where the platform has none. */
            settings?: {
                header: string;
                /** @enum {string} */
                algorithm: "sha256" | "sha512" | "sha1" | "basic";
                /** @enum {string} */
                encoding: "hex" | "base64";
                /** @description Before the signature, such as `sha256=`, or `v1=` in a header of several parts. */
                prefix?: string;
                /**
                 * @description Of body, timestamp, url and method.
                 * @example timestamp.body
                 */
                signedString: string;
                /** @description Default: the header of the signature. */
                timestampHeader?: string;
                /** @description Before the time, such as `t=`. */
                timestampPrefix?: string;
                /** @description Default: 300. */
                toleranceSeconds?: number;
                /** @description A path, or `header:` and a name. */
                idPath: string;
                /** @description A path, or `header:` and a name. */
                typePath: string;
            } | null;
            name?: string;
            /** @description Of a new source, by default: those of the platform. */
            mappings?: components["schemas"]["SourceMappingBody"][];
            /** @description HubSpot: refuse the former signatures. On in a new source. */
            requireV3?: boolean;
            /** @description Segment: take the items of a batch that its signature does not cover. */
            allowUnsignedBatchTail?: boolean;
            /**
             * @description As it is: the platform of a source cannot change.
             * @enum {string}
             */
            provider?: "segment" | "stripe" | "hubspot" | "intercom" | "customerio" | "hmac" | "standardwebhooks";
            /** @description Refused: rotate and emergency replace a secret. */
            verificationSecret?: string;
        };
        SourceDeliveries: {
            data: {
                /** Format: date-time */
                at: string;
                deliveryId: string | null;
                type: string | null;
                /** @enum {string} */
                outcome: "accepted" | "unreadable" | "duplicate" | "refused" | "dropped";
                eventId: string | null;
                reason: string | null;
            }[];
            nextCursor: string | null;
        };
        SourceDelivery: {
            /** Format: date-time */
            at: string;
            deliveryId: string | null;
            type: string | null;
            /** @enum {string} */
            outcome: "accepted" | "unreadable" | "duplicate" | "refused" | "dropped";
            eventId: string | null;
            reason: string | null;
            /** @description As it came, for 7 days; then null. */
            body: string | null;
            /** @description By lower-case name, without credentials; kept as long as the body. */
            headers: {
                [key: string]: string;
            } | null;
        };
        RunDeliveries: {
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            from: string | number;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            to: string | number;
            /** @enum {string} */
            outcome?: "accepted" | "unreadable" | "duplicate" | "refused" | "dropped";
            /** @description Only counts the deliveries. */
            dryRun?: boolean;
            /** @description Bodies a minute; absent: as many as there is time for. */
            pace?: number;
        };
        RunDeliveriesAnswer: {
            /** @description Deliveries that will be run. */
            accepted: number;
        };
        StoppedRun: {
            /** @enum {boolean} */
            stopped: true;
        };
        RunDeliveryAnswer: {
            /** @description New events; repeats are not counted. */
            accepted: number;
            /**
             * @description What this run did; `duplicate`: it made the event before.
             * @enum {string}
             */
            outcome: "accepted" | "unreadable" | "duplicate" | "refused" | "dropped";
            eventId: string | null;
            reason: string | null;
        };
        SourceSecretRotate: {
            /**
             * Format: duration
             * @description From PT1H to P7D. Default: PT24H.
             */
            overlap?: string;
            /** @description As the platform dictates it; default: a new one. */
            verificationSecret?: string;
        };
        RotatedSourceSecret: {
            /** @enum {string} */
            kind: "verificationSecret";
            /** @enum {string} */
            state: "single" | "overlap";
            /**
             * Format: date-time
             * @description The end of the overlap; null outside of one.
             */
            until: string | null;
            current: {
                id: string;
                /** Format: date-time */
                createdAt: string;
                /** Format: date-time */
                lastUsedAt: string | null;
                /** Format: date-time */
                retiresAt: string | null;
            };
            previous: {
                id: string;
                /** Format: date-time */
                createdAt: string;
                /** Format: date-time */
                lastUsedAt: string | null;
                /** Format: date-time */
                retiresAt: string | null;
            } | null;
            /** @description The new value, shown this once. */
            verificationSecret: string;
        };
        SourceSecretExtend: {
            /**
             * Format: duration
             * @description From PT1H to P7D. Default: PT24H.
             */
            overlap?: string;
        };
        SourceSecretRotation: {
            /** @enum {string} */
            kind: "verificationSecret";
            /** @enum {string} */
            state: "single" | "overlap";
            /**
             * Format: date-time
             * @description The end of the overlap; null outside of one.
             */
            until: string | null;
            current: {
                id: string;
                /** Format: date-time */
                createdAt: string;
                /** Format: date-time */
                lastUsedAt: string | null;
                /** Format: date-time */
                retiresAt: string | null;
            };
            previous: {
                id: string;
                /** Format: date-time */
                createdAt: string;
                /** Format: date-time */
                lastUsedAt: string | null;
                /** Format: date-time */
                retiresAt: string | null;
            } | null;
        };
        SourceSecretValues: {
            /** @enum {string} */
            kind: "verificationSecret";
            /** @description The newest value. */
            verificationSecret: string;
            /** @description All live values, the newest first. */
            values: string[];
        };
        SourceSecretRetire: {
            /** @enum {boolean} */
            confirm: true;
        };
        SourceSecretEmergency: {
            /** @enum {boolean} */
            confirm: true;
            /** @description As the platform dictates it; default: a new one. */
            verificationSecret?: string;
        };
        SourceTrial: {
            /** @enum {string} */
            provider: "segment" | "stripe" | "hubspot" | "intercom" | "customerio" | "hmac" | "standardwebhooks";
            /** @description Of a new source, by default: those of the platform. */
            mappings?: components["schemas"]["SourceMappingBody"][];
            /** @description A delivery, as the platform sends it. */
            payload?: Record<string, never> | unknown[];
        };
        SourceTrialAnswer: {
            items: {
                deliveryId: string;
                type: string;
                name: string;
                userId: string | null;
                properties: {
                    [key: string]: unknown;
                };
                /** Format: date-time */
                occurredAt: string | null;
                reason: string | null;
                /** @description Why the mapping leaves it out; null: it does not. */
                dropped: string | null;
                joinTopic: string | null;
                profile: {
                    [key: string]: unknown;
                } | null;
            }[];
        };
        /** @description Settings may be some that are not saved yet. Default: those saved. */
        SignatureTrial: {
            /**
             * @description A request line if there is one, headers, an empty line, the body as it came.
             * @example X-Signature: 5d41…
             *
             *     {"id":"1","type":"order.created"}
             */
            request: string;
            settings?: components["schemas"]["HmacSettings"];
        };
        SignatureTrialAnswer: {
            /** @description Whether it would be taken, were it delivered now. */
            ok: boolean;
            reason: string | null;
            /** @description Whether a signature is the expected one, whatever its time is. */
            matches: boolean;
            /** @description Null where the request lacks the time or the id. */
            expected: string | null;
            received: string[];
            /** @description What is signed, up to 65,536 characters. */
            signedString: string | null;
            timestamp: string | null;
        };
        DoubtPage: {
            data: components["schemas"]["Doubt"][];
            nextCursor: string | null;
        };
        Doubt: {
            /** @example dbt_… */
            id: string;
            /** @enum {string} */
            kind: "unknown-variable" | "condition-error" | "text-compared" | "missing-translation" | "link-dropped" | "mail-too-large" | "invalid-email" | "unknown-locale" | "unknown-time-zone" | "external-id-taken" | "unknown-user" | "unmapped-type" | "unheard-event";
            /** @description A layout has the id of its notification config, an event its name. */
            subject: {
                /** @enum {string} */
                type: "campaign" | "layout" | "source" | "user" | "event";
                id: string;
            };
            subjectName: string | null;
            message: string;
            count: number;
            /** Format: date-time */
            firstAt: string;
            /** Format: date-time */
            lastAt: string;
            /** @description A value's path and kind, or a short value; the newest. */
            example: string | null;
        };
    };
}
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
