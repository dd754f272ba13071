// From the OpenAPI document: npm run api-types
export interface paths {
    "/api/projects/{id}/visits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List visits
         * @description Takes any role in the project.
         *
         *     An API key needs the scope `read`.
         */
        get: operations["listVisits"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{id}/visits/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Stream visits as they are stored
         * @description Server-sent events. `event: visit` carries a visit of the timeline. Of the others `data` has the number `visits`: `event: skipped` says how many that fit were left out under `max_per_second`, `event: filtered` how many did not fit the filters; the three together are all visits of the project. `event: opened` comes first. Reconnect with the id of the last event: there is neither a gap nor a repeat.
         *
         *     Takes any role in the project.
         *
         *     An API key needs the scope `read`.
         */
        get: operations["streamVisits"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{id}/visits/{visitId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a visit
         * @description Takes any role in the project.
         *
         *     An API key needs the scope `read`.
         */
        get: operations["getVisit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/visits/delete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delete the visits of an address or a project
         * @description With the dead letters and refused requests that hold the address, or are of the project. Their counts stay. It works for some seconds: send the same again with `cursor` until `next_cursor` is null. This cannot be undone.
         *
         *     Takes an administrator, or an API key for all projects.
         *
         *     An API key needs the scope `admin`.
         *
         *     With a session, only within 10 minutes after signing in or `POST /api/session/confirmation`; else 403 with the type `/docs/problems#confirmation-required`.
         */
        post: operations["deleteVisits"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{id}/visits/count": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count visits
         * @description Exact up to 10000; more are estimated and rounded, so that the answer never takes long.
         *
         *     Takes any role in the project.
         *
         *     An API key needs the scope `read`.
         */
        get: operations["countVisits"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{id}/visits/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download visits, newest first
         * @description Streamed, however many they are. `ndjson` has a visit of the timeline a line. `csv` (RFC 4180, with a header) has its most important fields; what a spreadsheet would take for a formula gets a `'` in front, also behind a semicolon, tab or line break.
         *
         *     Takes any role in the project.
         *
         *     An API key needs the scope `read`.
         */
        get: operations["exportVisits"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List projects
         * @description Takes an API key or a session.
         *
         *     An API key needs the scope `read`.
         */
        get: operations["listProjects"];
        put?: never;
        /**
         * Create a project
         * @description Takes an administrator, or an API key for all projects.
         *
         *     An API key needs the scope `admin`.
         */
        post: operations["createProject"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a project
         * @description Takes any role in the project.
         *
         *     An API key needs the scope `read`.
         */
        get: operations["getProject"];
        put?: never;
        post?: never;
        /**
         * Remove a project with its settings, tokens and visits
         * @description The project and its tokens are removed immediately; its visits and their counts are deleted in the background. This cannot be undone.
         *
         *     Takes an administrator, or an API key for all projects.
         *
         *     An API key needs the scope `admin`.
         *
         *     With a session, only within 10 minutes after signing in or `POST /api/session/confirmation`; else 403 with the type `/docs/problems#confirmation-required`.
         */
        delete: operations["removeProject"];
        options?: never;
        head?: never;
        /**
         * Update a project's settings
         * @description Takes the role of a member or an owner in the project.
         *
         *     An API key needs the scope `write`.
         */
        patch: operations["changeProject"];
        trace?: never;
    };
    "/api/projects/{id}/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a project's access tokens
         * @description Takes any role in the project.
         *
         *     An API key needs the scope `read`.
         */
        get: operations["listTokens"];
        put?: never;
        /**
         * Create an access token; up to 100 that work per project
         * @description Takes the role of a member or an owner in the project.
         *
         *     An API key needs the scope `write`.
         *
         *     With a session, only within 10 minutes after signing in or `POST /api/session/confirmation`; else 403 with the type `/docs/problems#confirmation-required`.
         */
        post: operations["createToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{id}/tokens/{tokenId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the value of an access token
         * @description Takes the role of a member or an owner in the project.
         *
         *     An API key needs the scope `write`.
         *
         *     With a session, only within 10 minutes after signing in or `POST /api/session/confirmation`; else 403 with the type `/docs/problems#confirmation-required`.
         */
        get: operations["revealToken"];
        put?: never;
        post?: never;
        /**
         * Revoke an access token; it stops working within 5 s
         * @description Takes the role of an owner in the project.
         *
         *     An API key needs the scope `admin`.
         *
         *     With a session, only within 10 minutes after signing in or `POST /api/session/confirmation`; else 403 with the type `/docs/problems#confirmation-required`.
         */
        delete: operations["revokeToken"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List API keys
         * @description Takes an administrator, or an API key for all projects.
         *
         *     An API key needs the scope `read`.
         */
        get: operations["listApiKeys"];
        put?: never;
        /**
         * Create an API key for a program; its value is shown once
         * @description It ends when the administrator who created it no longer is one. A key gives no scope that it lacks.
         *
         *     Takes an administrator, or an API key for all projects.
         *
         *     An API key needs the scope `admin`.
         *
         *     With a session, only within 10 minutes after signing in or `POST /api/session/confirmation`; else 403 with the type `/docs/problems#confirmation-required`.
         */
        post: operations["createApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/api-keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke an API key; it stops working within 5 s
         * @description Takes an administrator, or an API key for all projects.
         *
         *     An API key needs the scope `admin`.
         *
         *     With a session, only within 10 minutes after signing in or `POST /api/session/confirmation`; else 403 with the type `/docs/problems#confirmation-required`.
         */
        delete: operations["revokeApiKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/dead-letters": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List dead letters, newest first
         * @description Takes an API key or a session.
         *
         *     An API key needs the scope `read`.
         */
        get: operations["listDeadLetters"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/dead-letters/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a dead letter with its bytes
         * @description Takes any role in the project.
         *
         *     An API key needs the scope `read`.
         */
        get: operations["getDeadLetter"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/dead-letters/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replay dead letters to their topics
         * @description Takes the role of a member or an owner in the project.
         *
         *     An API key needs the scope `write`.
         */
        post: operations["replayDeadLetters"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the known agents
         * @description Takes an API key or a session.
         *
         *     An API key needs the scope `read`.
         */
        get: operations["listAgents"];
        put?: never;
        /**
         * Add a custom agent; takes effect within 2 s
         * @description Takes an administrator, or an API key for all projects.
         *
         *     An API key needs the scope `admin`.
         */
        post: operations["addAgent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/catalog": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count the known agents by type and by operator
         * @description Takes an API key or a session.
         *
         *     An API key needs the scope `read`.
         */
        get: operations["getCatalog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export all agents, or only custom ones, as a data file
         * @description Takes an API key or a session.
         *
         *     An API key needs the scope `read`.
         */
        get: operations["exportAgents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Import agents from a data file; all or nothing
         * @description Takes an administrator, or an API key for all projects.
         *
         *     An API key needs the scope `admin`.
         */
        post: operations["importAgents"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents/{agent}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an agent
         * @description Takes an API key or a session.
         *
         *     An API key needs the scope `read`.
         */
        get: operations["getAgent"];
        /**
         * Update an agent, including one that came with the release
         * @description Takes an administrator, or an API key for all projects.
         *
         *     An API key needs the scope `admin`.
         */
        put: operations["changeAgent"];
        post?: never;
        /**
         * Remove a custom agent, or undo changes to one that came with the release
         * @description Takes an administrator, or an API key for all projects.
         *
         *     An API key needs the scope `admin`.
         */
        delete: operations["removeAgent"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/identifications": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Identify the sender of a request, with every step of the evidence
         * @description Takes an API key or a session.
         *
         *     An API key needs the scope `read`.
         */
        post: operations["explainIdentification"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/test-visits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create the signature headers of a request by the instance's test agent
         * @description Takes an administrator, or an API key for all projects.
         *
         *     An API key needs the scope `admin`.
         */
        post: operations["signTestVisit"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/assistants": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List assistants that refer people
         * @description Takes an API key or a session.
         *
         *     An API key needs the scope `read`.
         */
        get: operations["listAssistants"];
        put?: never;
        /**
         * Add a custom assistant; takes effect for new visits within 2 s
         * @description Takes an administrator, or an API key for all projects.
         *
         *     An API key needs the scope `admin`.
         */
        post: operations["addAssistant"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/assistants/{assistant}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an assistant
         * @description Takes an API key or a session.
         *
         *     An API key needs the scope `read`.
         */
        get: operations["getAssistant"];
        /**
         * Update an assistant, including one that came with the release
         * @description Takes an administrator, or an API key for all projects.
         *
         *     An API key needs the scope `admin`.
         */
        put: operations["changeAssistant"];
        post?: never;
        /**
         * Remove a custom assistant, or undo changes to one that came with the release
         * @description Takes an administrator, or an API key for all projects.
         *
         *     An API key needs the scope `admin`.
         */
        delete: operations["removeAssistant"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agent-feeds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List agent feeds
         * @description Takes an administrator, or an API key for all projects.
         *
         *     An API key needs the scope `read`.
         */
        get: operations["listAgentFeeds"];
        put?: never;
        /**
         * Add a feed by its address or as a file; up to 100 per instance
         * @description It is read in the background. What it brings is proposed, and changes nothing until it is accepted.
         *
         *     Takes an administrator, or an API key for all projects.
         *
         *     An API key needs the scope `admin`.
         */
        post: operations["addAgentFeed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agent-feeds/{feedId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a feed with its proposals; accepted agents stay unless you ask to remove them
         * @description Takes an administrator, or an API key for all projects.
         *
         *     An API key needs the scope `admin`.
         */
        delete: operations["removeAgentFeed"];
        options?: never;
        head?: never;
        /**
         * Update a feed: its name, whether new agents are accepted automatically, or its file
         * @description Takes an administrator, or an API key for all projects.
         *
         *     An API key needs the scope `admin`.
         */
        patch: operations["changeAgentFeed"];
        trace?: never;
    };
    "/api/agent-feeds/{feedId}/refresh": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Refresh a feed in the background
         * @description Takes an administrator, or an API key for all projects.
         *
         *     An API key needs the scope `admin`.
         */
        post: operations["refreshAgentFeed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agent-proposals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List proposed agents, or those already decided on
         * @description Takes an administrator, or an API key for all projects.
         *
         *     An API key needs the scope `read`.
         */
        get: operations["listFeedAgents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agent-proposals/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept some or all proposed agents of a feed; takes effect within 2 s
         * @description Takes an administrator, or an API key for all projects.
         *
         *     An API key needs the scope `admin`.
         */
        post: operations["acceptFeedAgents"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agent-proposals/dismiss": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Dismiss some or all proposed agents of a feed; they are not proposed again
         * @description Takes an administrator, or an API key for all projects.
         *
         *     An API key needs the scope `admin`.
         */
        post: operations["dismissFeedAgents"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agent-proposals/visits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count the visits of unknown visitors in the last 7 days that proposed agents would match
         * @description Takes an administrator, or an API key for all projects.
         *
         *     An API key needs the scope `read`.
         */
        get: operations["countProposalVisits"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/project-summaries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the last 24 hours of every project that the credential reaches
         * @description Takes an API key or a session.
         *
         *     An API key needs the scope `read`.
         */
        get: operations["listProjectSummaries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{id}/overview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the overview of a range: totals, visits over time and top lists, with a comparison
         * @description Without filters, and for filters by agent, type, operator and result, counts answer, which are exact. Other filters, and the pages and statuses under any filter, are read from the stored visits: exact where these are not too many, else estimated. So are the pages and statuses of agents where an earlier version counted visits of the range. `sample` says so.
         *
         *     Takes any role in the project.
         *
         *     An API key needs the scope `read`.
         */
        get: operations["getOverview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{id}/news": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what changed in a range, most important first
         * @description What is too little to matter is left out. Errors and spoofing are of the newest 5000 such visits, everything else of all.
         *
         *     Takes any role in the project.
         *
         *     An API key needs the scope `read`.
         */
        get: operations["getNews"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{id}/agents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List agents that visited in a range
         * @description Takes any role in the project.
         *
         *     An API key needs the scope `read`.
         */
        get: operations["listVisitingAgents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{id}/agents/{agentId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the activity of one agent in a range
         * @description 404 for an agent that neither the catalog nor the range knows. Of its newest 5000 visits: pages, statuses, addresses, methods.
         *
         *     Takes any role in the project.
         *
         *     An API key needs the scope `read`.
         */
        get: operations["getVisitingAgent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{id}/verification": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get verification results over time and the agents that failed
         * @description Takes any role in the project.
         *
         *     An API key needs the scope `read`.
         */
        get: operations["getVerification"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{id}/referrals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the people whom AI assistants referred, beside the pages that their operators fetched
         * @description A referral is a request of an unknown visitor for a page whose `utm_source`, `source` or `ref`, or else whose Referer, names an assistant of the catalog. It is counted also where visits of people are not stored.
         *
         *     Takes any role in the project.
         *
         *     An API key needs the scope `read`.
         */
        get: operations["getReferrals"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{id}/histogram": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get visits of the last 60 minutes by minute
         * @description Takes any role in the project.
         *
         *     An API key needs the scope `read`.
         */
        get: operations["getHistogram"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/seen-agents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List catalog agents with their visit counts
         * @description Counted over the last 30 days, in the projects that the credential reaches.
         *
         *     Takes an API key or a session.
         *
         *     An API key needs the scope `read`.
         */
        get: operations["listSeenAgents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{id}/tools": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get MCP tool calls, and ACP and UCP checkouts
         * @description Calls are counted with their visits. A checkout counts once, in the range in which it began, by its newest state, however often it was reported.
         *
         *     Takes any role in the project.
         *
         *     An API key needs the scope `read`.
         */
        get: operations["getTools"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{id}/compliance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List agents that fetched paths that robots.txt disallowed at that time
         * @description Visits are judged when they are reported, by the version of robots.txt that was in force when they occurred, and counted so: a later version changes nothing. Visits that failed verification never count against the agent that they claim to be.
         *
         *     Takes any role in the project.
         *
         *     An API key needs the scope `read`.
         */
        get: operations["getCompliance"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{id}/compliance/{agentId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the robots.txt lines that an agent disregarded, with the paths
         * @description The lists are empty for an agent that fetched nothing that robots.txt disallowed.
         *
         *     Takes any role in the project.
         *
         *     An API key needs the scope `read`.
         */
        get: operations["getDisregarded"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{id}/test-visits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test visit to the project's site
         * @description The request goes to the project's site address, signed with Web Bot Auth. The answer comes immediately; poll the operation below for the result. One at a time.
         *
         *     Takes the role of a member or an owner in the project.
         *
         *     An API key needs the scope `write`.
         */
        post: operations["sendTestVisit"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{id}/test-visits/{testVisitId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the status and result of a test visit
         * @description Takes any role in the project.
         *
         *     An API key needs the scope `read`.
         */
        get: operations["getTestVisit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{id}/sample-visits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Record one marked visit, as if the site had reported it
         * @description Takes the role of a member or an owner in the project.
         *
         *     An API key needs the scope `write`.
         */
        post: operations["sendSampleVisit"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{id}/refused-requests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the last ten refused requests with the project's tokens
         * @description Takes any role in the project.
         *
         *     An API key needs the scope `read`.
         */
        get: operations["listRefusedRequests"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/refused-requests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the last requests that were refused for an unknown token
         * @description They belong to no project.
         *
         *     Takes an administrator, or an API key for all projects.
         *
         *     An API key needs the scope `read`.
         */
        get: operations["listUnknownTokenRequests"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{id}/visitor-path": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get how visitors reach the project's site, as far as its newest visits show
         * @description Looks at the newest 200 visits. Accept a proposal by changing `trusted_proxies` of the project to the proposed value.
         *
         *     Takes any role in the project.
         *
         *     An API key needs the scope `read`.
         */
        get: operations["getVisitorPath"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{id}/drains": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List log sources with their last batch and last unreadable lines
         * @description A batch shows two seconds after it was received.
         *
         *     Takes any role in the project.
         *
         *     An API key needs the scope `read`.
         */
        get: operations["listDrains"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{id}/drain-settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a project's drain settings
         * @description Takes any role in the project.
         *
         *     An API key needs the scope `read`.
         */
        get: operations["getDrainSettings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Update a project's drain settings
         * @description Takes the role of a member or an owner in the project.
         *
         *     An API key needs the scope `write`.
         */
        patch: operations["changeDrainSettings"];
        trace?: never;
    };
    "/api/demo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the loading status of the demo data
         * @description Takes an administrator, or an API key for all projects.
         *
         *     An API key needs the scope `read`.
         */
        get: operations["getDemo"];
        put?: never;
        /**
         * Load demo visits of a shop into a new project
         * @description The answer comes before the visits, which are made in the background; `GET /api/demo` says how far they are. To remove them, delete the project.
         *
         *     Takes an administrator, or an API key for all projects.
         *
         *     An API key needs the scope `admin`.
         */
        post: operations["loadDemo"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the current session and sign-in methods
         * @description Takes no credential.
         */
        get: operations["getSession"];
        put?: never;
        /**
         * Sign in with a password
         * @description Of an account with a second factor, this is the first of two steps, and opens no session.
         *
         *     Takes no credential.
         */
        post: operations["signIn"];
        /**
         * Sign out
         * @description Takes no credential.
         */
        delete: operations["signOut"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/session/confirmation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Confirm your identity
         * @description Takes your password, and a code where you have a second factor. What needs a confirmed session then works for 10 minutes.
         *
         *     Takes a session.
         */
        post: operations["confirmSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/session/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Change your password; all your other sessions end
         * @description With a second factor, only within 10 minutes after signing in or `POST /api/session/confirmation`.
         *
         *     Takes a session.
         */
        put: operations["changePassword"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/session/oidc": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Go to the OpenID provider to sign in
         * @description Takes no credential.
         */
        get: operations["startOidcSignIn"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/session/oidc/callback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Finish a sign-in with the OpenID provider
         * @description Takes no credential.
         */
        get: operations["finishOidcSignIn"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/setup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create the first administrator with the setup code
         * @description Takes no credential.
         */
        post: operations["setUp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/setup-codes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a setup code; earlier codes stop working
         * @description Takes an administrator, or an API key for all projects.
         *
         *     An API key needs the scope `admin`.
         */
        post: operations["createSetupCode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{id}/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a project's members and open invitations
         * @description Takes any role in the project.
         *
         *     An API key needs the scope `read`.
         */
        get: operations["listMembers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{id}/members/{userId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a member; members can also remove themselves
         * @description Takes the role of an owner in the project.
         *
         *     An API key needs the scope `admin`.
         *
         *     With a session, only within 10 minutes after signing in or `POST /api/session/confirmation`; else 403 with the type `/docs/problems#confirmation-required`.
         */
        delete: operations["removeMember"];
        options?: never;
        head?: never;
        /**
         * Change a member's role; takes effect immediately
         * @description Takes the role of an owner in the project.
         *
         *     An API key needs the scope `admin`.
         *
         *     With a session, only within 10 minutes after signing in or `POST /api/session/confirmation`; else 403 with the type `/docs/problems#confirmation-required`.
         */
        patch: operations["changeMember"];
        trace?: never;
    };
    "/api/projects/{id}/invitations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create an invitation link, valid once and for 7 days; up to 100 open ones per project
         * @description Takes the role of an owner in the project.
         *
         *     An API key needs the scope `admin`.
         *
         *     With a session, only within 10 minutes after signing in or `POST /api/session/confirmation`; else 403 with the type `/docs/problems#confirmation-required`.
         */
        post: operations["createInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{id}/invitations/{invitationId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Withdraw an invitation
         * @description Takes the role of an owner in the project.
         *
         *     An API key needs the scope `admin`.
         */
        delete: operations["revokeInvitation"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/invitations/{token}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get what an invitation is for
         * @description Takes no credential.
         */
        get: operations["getInvitation"];
        put?: never;
        /**
         * Accept an invitation with a new account or the current session
         * @description Takes no credential.
         */
        post: operations["acceptInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/account": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get your account with its sign-in methods and sessions
         * @description Takes a session.
         */
        get: operations["getOwnAccount"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Update your name or e-mail address
         * @description Takes the current password where the account has one. The e-mail address of an account that signs in with the OpenID provider comes from there.
         *
         *     Takes a session.
         */
        patch: operations["changeOwnAccount"];
        trace?: never;
    };
    "/api/account/sessions/{sessionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * End one of your sessions
         * @description Takes a session.
         */
        delete: operations["endOwnSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/account/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your own API keys
         * @description Takes a session.
         */
        get: operations["listOwnApiKeys"];
        put?: never;
        /**
         * Create an API key that acts as you; its value is shown once
         * @description It may do what its scopes allow and you may, in the projects that you name or else in yours: what you lose, the key loses. Your account takes a session, never a key.
         *
         *     Takes a session.
         *
         *     With a session, only within 10 minutes after signing in or `POST /api/session/confirmation`; else 403 with the type `/docs/problems#confirmation-required`.
         */
        post: operations["createOwnApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/account/api-keys/{keyId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke one of your own API keys; it stops working within 5 s
         * @description Takes a session.
         *
         *     With a session, only within 10 minutes after signing in or `POST /api/session/confirmation`; else 403 with the type `/docs/problems#confirmation-required`.
         */
        delete: operations["revokeOwnApiKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/session/second-factor": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Finish a sign-in with a second-factor or recovery code
         * @description Within 10 minutes of the password, in the same browser. After five wrong codes the password is due again.
         *
         *     Takes no credential.
         */
        post: operations["finishSignIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/account/second-factor": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Turn on the second factor with a code of the app; all your other sessions end
         * @description Takes a session.
         *
         *     With a session, only within 10 minutes after signing in or `POST /api/session/confirmation`; else 403 with the type `/docs/problems#confirmation-required`.
         */
        put: operations["activateSecondFactor"];
        /**
         * Create a secret for an authenticator app
         * @description It counts once a code has shown that the app has it; until then, each call replaces it.
         *
         *     Takes a session.
         *
         *     With a session, only within 10 minutes after signing in or `POST /api/session/confirmation`; else 403 with the type `/docs/problems#confirmation-required`.
         */
        post: operations["beginSecondFactor"];
        /**
         * Turn off your second factor
         * @description Takes a session.
         *
         *     With a session, only within 10 minutes after signing in or `POST /api/session/confirmation`; else 403 with the type `/docs/problems#confirmation-required`.
         */
        delete: operations["removeOwnSecondFactor"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/account/second-factor/recovery-codes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create recovery codes; earlier codes stop working
         * @description Takes a session.
         *
         *     With a session, only within 10 minutes after signing in or `POST /api/session/confirmation`; else 403 with the type `/docs/problems#confirmation-required`.
         */
        post: operations["replaceRecoveryCodes"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/{userId}/second-factor": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove an account's second factor
         * @description For people who lost it. Their password is enough until they set one up again; passkeys stay.
         *
         *     Takes an administrator, or an API key for all projects.
         *
         *     An API key needs the scope `admin`.
         *
         *     With a session, only within 10 minutes after signing in or `POST /api/session/confirmation`; else 403 with the type `/docs/problems#confirmation-required`.
         */
        delete: operations["removeSecondFactor"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/session/passkey/options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get the options for signing in with a passkey
         * @description Takes no credential.
         */
        post: operations["beginPasskeySignIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/session/passkey": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in with a passkey
         * @description It stands for the password and the second factor. Within five minutes, in the browser that was asked.
         *
         *     Takes no credential.
         */
        post: operations["signInWithPasskey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/account/passkeys/options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get the options for registering a passkey
         * @description Takes a session.
         *
         *     With a session, only within 10 minutes after signing in or `POST /api/session/confirmation`; else 403 with the type `/docs/problems#confirmation-required`.
         */
        post: operations["beginPasskey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/account/passkeys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Register a passkey
         * @description Takes a session.
         *
         *     With a session, only within 10 minutes after signing in or `POST /api/session/confirmation`; else 403 with the type `/docs/problems#confirmation-required`.
         */
        post: operations["createPasskey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/account/passkeys/{passkeyId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove one of your passkeys
         * @description Takes a session.
         *
         *     With a session, only within 10 minutes after signing in or `POST /api/session/confirmation`; else 403 with the type `/docs/problems#confirmation-required`.
         */
        delete: operations["removePasskey"];
        options?: never;
        head?: never;
        /**
         * Rename one of your passkeys
         * @description Takes a session.
         */
        patch: operations["renamePasskey"];
        trace?: never;
    };
    "/api/users/{userId}/passkeys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove all of an account's passkeys, and end the sessions that they opened
         * @description For a lost device. The password and the second factor stay.
         *
         *     Takes an administrator, or an API key for all projects.
         *
         *     An API key needs the scope `admin`.
         *
         *     With a session, only within 10 minutes after signing in or `POST /api/session/confirmation`; else 403 with the type `/docs/problems#confirmation-required`.
         */
        delete: operations["removePasskeys"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/account/reports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the projects whose weekly report you get
         * @description Takes a session.
         */
        get: operations["getReportSettings"];
        /**
         * Choose the projects whose weekly report you get
         * @description It goes to your account's e-mail address on Monday at 8:00 in the project's time zone.
         *
         *     Takes a session.
         */
        put: operations["changeReportSettings"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/unsubscriptions/{unsubscription}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Open the unsubscribe page
         * @description Opening the link unsubscribes nobody, so that programs that follow links in mails don't.
         *
         *     Takes no credential.
         */
        get: operations["showUnsubscription"];
        put?: never;
        /**
         * Unsubscribe from a weekly report; supports one-click unsubscribe (RFC 8058)
         * @description Takes no credential.
         */
        post: operations["unsubscribe"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{id}/saved-filters": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a project's saved filters; all its members share them
         * @description Takes any role in the project.
         *
         *     An API key needs the scope `read`.
         */
        get: operations["listSavedFilters"];
        put?: never;
        /**
         * Save filters under a name; up to 100 per project
         * @description Takes the role of a member or an owner in the project.
         *
         *     An API key needs the scope `write`.
         */
        post: operations["createSavedFilter"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{id}/saved-filters/{filterId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete saved filters
         * @description Takes the role of a member or an owner in the project.
         *
         *     An API key needs the scope `write`.
         */
        delete: operations["deleteSavedFilter"];
        options?: never;
        head?: never;
        /**
         * Rename saved filters
         * @description Takes the role of a member or an owner in the project.
         *
         *     An API key needs the scope `write`.
         */
        patch: operations["renameSavedFilter"];
        trace?: never;
    };
    "/api/projects/{id}/shared-links": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List shared links to a project's overview
         * @description Takes any role in the project.
         *
         *     An API key needs the scope `read`.
         */
        get: operations["listSharedLinks"];
        put?: never;
        /**
         * Create a shared link to a project's overview; up to 50 per project
         * @description Anyone who has the link, and the password if it has one, can read the overview and nothing else.
         *
         *     Takes the role of an owner in the project.
         *
         *     An API key needs the scope `admin`.
         *
         *     With a session, only within 10 minutes after signing in or `POST /api/session/confirmation`; else 403 with the type `/docs/problems#confirmation-required`.
         */
        post: operations["createSharedLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{id}/shared-links/{linkId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke a shared link; it stops working immediately
         * @description Takes the role of an owner in the project.
         *
         *     An API key needs the scope `admin`.
         */
        delete: operations["revokeSharedLink"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/shared/{secret}/pass": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Exchange the password of a shared link for a pass
         * @description Takes no credential.
         */
        post: operations["openSharedLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/shared/{secret}/overview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the overview of a shared link; numbers are up to a minute old
         * @description Takes the secret of a link to a project's overview, and the pass if the link has a password.
         */
        get: operations["getSharedOverview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/shared-badges/{badge}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a badge image of this month's agent visits; cached for five minutes
         * @description The month is the current one in the project's time zone. The address doesn't reveal the secret of the link.
         *
         *     Takes the secret of a link to a project's overview, and the pass if the link has a password.
         */
        get: operations["getSharedBadge"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{id}/chart-notes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List notes, saved rules versions and catalog updates in a range
         * @description Takes any role in the project.
         *
         *     An API key needs the scope `read`.
         */
        get: operations["listChartNotes"];
        put?: never;
        /**
         * Add a note to a day of a project's charts; up to 1000 per project
         * @description Takes the role of a member or an owner in the project.
         *
         *     An API key needs the scope `write`.
         */
        post: operations["createChartNote"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{id}/chart-notes/{noteId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a note
         * @description Takes the role of a member or an owner in the project.
         *
         *     An API key needs the scope `write`.
         */
        delete: operations["deleteChartNote"];
        options?: never;
        head?: never;
        /**
         * Update the day or the text of a note
         * @description Takes the role of a member or an owner in the project.
         *
         *     An API key needs the scope `write`.
         */
        patch: operations["changeChartNote"];
        trace?: never;
    };
    "/api/projects/{id}/alerts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a project's alerts and the available kinds
         * @description Takes any role in the project.
         *
         *     An API key needs the scope `read`.
         */
        get: operations["listAlerts"];
        put?: never;
        /**
         * Add an alert; up to 50 per project
         * @description What is left out is the default of the kind. It is about all agents, or about one agent, type or operator.
         *
         *     Takes the role of an owner in the project.
         *
         *     An API key needs the scope `admin`.
         */
        post: operations["createAlert"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{id}/alerts/{alertId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete an alert with its history
         * @description Takes the role of an owner in the project.
         *
         *     An API key needs the scope `admin`.
         */
        delete: operations["deleteAlert"];
        options?: never;
        head?: never;
        /**
         * Change an alert, mute it, or turn it on or off
         * @description Takes the role of an owner in the project.
         *
         *     An API key needs the scope `admin`.
         */
        patch: operations["changeAlert"];
        trace?: never;
    };
    "/api/projects/{id}/alerts/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Preview how an alert would have fired in the last 30 days
         * @description Takes any role in the project.
         *
         *     An API key needs the scope `read`.
         */
        post: operations["previewAlert"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{id}/alert-events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List when alerts fired and recovered
         * @description Takes any role in the project.
         *
         *     An API key needs the scope `read`.
         */
        get: operations["listAlertEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{id}/alert-channels": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a project's alert channels
         * @description Takes any role in the project.
         *
         *     An API key needs the scope `read`.
         */
        get: operations["listAlertChannels"];
        put?: never;
        /**
         * Add a channel that gets all alerts of the project; up to 10 per project
         * @description Takes the role of an owner in the project.
         *
         *     An API key needs the scope `admin`.
         */
        post: operations["createAlertChannel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{id}/alert-channels/{channelId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a channel with its deliveries
         * @description Takes the role of an owner in the project.
         *
         *     An API key needs the scope `admin`.
         */
        delete: operations["deleteAlertChannel"];
        options?: never;
        head?: never;
        /**
         * Change a channel, or turn it on or off
         * @description Takes the role of an owner in the project.
         *
         *     An API key needs the scope `admin`.
         */
        patch: operations["changeAlertChannel"];
        trace?: never;
    };
    "/api/projects/{id}/alert-channels/{channelId}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test to a channel and return its result
         * @description It is attempted once, also where the channel is off.
         *
         *     Takes the role of an owner in the project.
         *
         *     An API key needs the scope `admin`.
         */
        post: operations["testAlertChannel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{id}/alert-channels/{channelId}/confirmations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask recipients again who have not confirmed that they want alerts
         * @description Takes the role of an owner in the project.
         *
         *     An API key needs the scope `admin`.
         */
        post: operations["resendMailConfirmations"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/mail-recipients/{recipient}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Open the page that confirms or stops alert mails
         * @description Opening the link changes nothing, so that programs that follow links in mails don't.
         *
         *     Takes no credential.
         */
        get: operations["showMailRecipient"];
        put?: never;
        /**
         * Stop the alert mails of a project; supports one-click unsubscribe (RFC 8058)
         * @description Takes no credential.
         */
        post: operations["stopMailRecipient"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/mail-recipients/{recipient}/confirmation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Confirm that you want the alert mails of a project
         * @description Takes no credential.
         */
        post: operations["confirmMailRecipient"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{id}/alert-channels/{channelId}/secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the signing secret of a webhook
         * @description Takes the role of an owner in the project.
         *
         *     An API key needs the scope `admin`.
         *
         *     With a session, only within 10 minutes after signing in or `POST /api/session/confirmation`; else 403 with the type `/docs/problems#confirmation-required`.
         */
        get: operations["revealWebhookSecret"];
        put?: never;
        /**
         * Rotate the signing secret of a webhook; the previous one also signs for 24 hours
         * @description Takes the role of an owner in the project.
         *
         *     An API key needs the scope `admin`.
         *
         *     With a session, only within 10 minutes after signing in or `POST /api/session/confirmation`; else 403 with the type `/docs/problems#confirmation-required`.
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{id}/alert-deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List sent and pending deliveries of a project
         * @description Takes any role in the project.
         *
         *     An API key needs the scope `read`.
         */
        get: operations["listAlertDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{id}/alert-deliveries/{deliveryId}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resend a delivery with the same ID
         * @description Takes the role of an owner in the project.
         *
         *     An API key needs the scope `admin`.
         */
        post: operations["replayAlertDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{id}/unlisted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List unknown programs by user agent
         * @description Takes any role in the project.
         *
         *     An API key needs the scope `read`.
         */
        get: operations["getUnlisted"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{id}/pattern-trials": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Test patterns: count matching unlisted visits of the last 7 days, and check against browsers
         * @description Patterns are tried on the groups of user agents that were counted, with 1.0 in the place of versions.
         *
         *     Takes any role in the project.
         *
         *     An API key needs the scope `read`.
         */
        post: operations["tryPatterns"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{id}/dismissed-user-agents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List dismissed user agents
         * @description Takes any role in the project.
         *
         *     An API key needs the scope `read`.
         */
        get: operations["listDismissedUserAgents"];
        put?: never;
        /**
         * Dismiss a user agent from the unlisted programs; up to 1000 per project
         * @description Takes the role of a member or an owner in the project.
         *
         *     An API key needs the scope `write`.
         */
        post: operations["dismissUserAgent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{id}/dismissed-user-agents/{dismissedId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Restore a dismissed user agent
         * @description Takes the role of a member or an owner in the project.
         *
         *     An API key needs the scope `write`.
         */
        delete: operations["restoreUserAgent"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{id}/reidentifications": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List re-identifications of a project with their changes
         * @description Takes any role in the project.
         *
         *     An API key needs the scope `read`.
         */
        get: operations["listReidentifications"];
        put?: never;
        /**
         * Preview how today's catalog would identify stored visits
         * @description Nothing is changed until the preview is applied. Only one re-identification of a project can be under way. New visits come first, so it can take hours.
         *
         *     Takes the role of an owner in the project.
         *
         *     An API key needs the scope `admin`.
         */
        post: operations["createReidentification"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{id}/reidentifications/{reidentificationId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the progress and report of a re-identification
         * @description Takes any role in the project.
         *
         *     An API key needs the scope `read`.
         */
        get: operations["getReidentification"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Apply, pause, resume or cancel a re-identification
         * @description Takes the role of an owner in the project.
         *
         *     An API key needs the scope `admin`.
         */
        patch: operations["changeReidentification"];
        trace?: never;
    };
    "/api/projects/{id}/rules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Preview rules for robots.txt or a server without saving them
         * @description Takes any role in the project.
         *
         *     An API key needs the scope `read`.
         */
        post: operations["renderRules"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{id}/rules-trials": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Count the visits of the last 30 days that rules for robots.txt would have disallowed
         * @description Only these rules count, whatever else the robots.txt of the site says. For a path, the visits of the named agents are read, up to 10000 of them. If there are more, a sample is read, and the numbers are estimates.
         *
         *     Takes any role in the project.
         *
         *     An API key needs the scope `read`.
         */
        post: operations["tryRules"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{id}/rules-versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the saved versions of a project's rules
         * @description Takes any role in the project.
         *
         *     An API key needs the scope `read`.
         */
        get: operations["listRulesVersions"];
        put?: never;
        /**
         * Save rules as the current version; the last ten per project are kept
         * @description Takes the role of a member or an owner in the project.
         *
         *     An API key needs the scope `write`.
         */
        post: operations["saveRulesVersion"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{id}/rules-versions/{versionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a saved version with its text
         * @description Takes any role in the project.
         *
         *     An API key needs the scope `read`.
         */
        get: operations["getRulesVersion"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{id}/robots-versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List robots.txt versions of a project's hosts, newest first
         * @description Takes any role in the project.
         *
         *     An API key needs the scope `read`.
         */
        get: operations["listRobotsVersions"];
        put?: never;
        /**
         * Record a robots.txt version of a host; the last 200 per host are kept
         * @description For sites that this instance cannot fetch from, and for what was served before. What is in force at that time ends then; what is recorded again changes nothing. Where no file could be fetched, versions that failed fetches made from that time on are deleted. Visits that were judged before are not judged again.
         *
         *     Takes the role of a member or an owner in the project.
         *
         *     An API key needs the scope `write`.
         */
        post: operations["recordRobotsVersion"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{id}/robots-versions/refresh": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Fetch robots.txt from each of the project's hosts
         * @description A host that was asked within the last 10 s is not asked again. Hosts left over after 20 s come later.
         *
         *     Takes the role of a member or an owner in the project.
         *
         *     An API key needs the scope `write`.
         */
        post: operations["refreshRobotsVersions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{id}/robots-versions/{robotsVersionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a version with its text and signals
         * @description Takes any role in the project.
         *
         *     An API key needs the scope `read`.
         */
        get: operations["getRobotsVersion"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/system": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get system status: processes, queue, dead letters, catalog, disk, network names and retention
         * @description Takes an administrator, or an API key for all projects.
         *
         *     An API key needs the scope `read`.
         */
        get: operations["getSystem"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/system/retention": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the retention of visits in days
         * @description Takes an administrator, or an API key for all projects.
         *
         *     An API key needs the scope `read`.
         */
        get: operations["getRetention"];
        /**
         * Set the retention of visits in days; takes effect within a minute
         * @description Takes an administrator, or an API key for all projects.
         *
         *     An API key needs the scope `admin`.
         *
         *     With a session, only within 10 minutes after signing in or `POST /api/session/confirmation`; else 403 with the type `/docs/problems#confirmation-required`.
         */
        put: operations["changeRetention"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/pipeline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the pipeline status: whether visits get through, or where they wait
         * @description Takes an API key or a session.
         *
         *     An API key needs the scope `read`.
         */
        get: operations["getPipeline"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/audit-entries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List audit log entries of the instance
         * @description Who changed or saw what, and when: entries are written with each change, and cannot be changed or removed. Values of secrets are in none of them. Newest first.
         *
         *     Takes an administrator, or an API key for all projects.
         *
         *     An API key needs the scope `read`.
         */
        get: operations["listAuditEntries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/audit-entries/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download the audit log of the instance as CSV
         * @description RFC 4180, with a header, newest first; `before` and `after` are JSON. What a spreadsheet would take for a formula gets a `'` in front.
         *
         *     Takes an administrator, or an API key for all projects.
         *
         *     An API key needs the scope `read`.
         */
        get: operations["exportAuditEntries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{id}/audit-entries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List audit log entries of a project
         * @description Who changed or saw what, and when: entries are written with each change, and cannot be changed or removed. Values of secrets are in none of them. Newest first.
         *
         *     Takes the role of an owner in the project.
         *
         *     An API key needs the scope `admin`.
         */
        get: operations["listProjectAuditEntries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{id}/audit-entries/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download the audit log of a project as CSV
         * @description RFC 4180, with a header, newest first; `before` and `after` are JSON. What a spreadsheet would take for a formula gets a `'` in front.
         *
         *     Takes the role of an owner in the project.
         *
         *     An API key needs the scope `admin`.
         */
        get: operations["exportProjectAuditEntries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the accounts of the instance
         * @description Takes an administrator, or an API key for all projects.
         *
         *     An API key needs the scope `read`.
         */
        get: operations["listUsers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/{userId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove an account with its sessions, memberships, API keys and invitations
         * @description Takes an administrator, or an API key for all projects.
         *
         *     An API key needs the scope `admin`.
         *
         *     With a session, only within 10 minutes after signing in or `POST /api/session/confirmation`; else 403 with the type `/docs/problems#confirmation-required`.
         */
        delete: operations["removeUser"];
        options?: never;
        head?: never;
        /**
         * Make an account an administrator, or demote it
         * @description Demotion immediately ends the person's API keys, password reset links, and invitations to projects that they do not own.
         *
         *     Takes an administrator, or an API key for all projects.
         *
         *     An API key needs the scope `admin`.
         *
         *     With a session, only within 10 minutes after signing in or `POST /api/session/confirmation`; else 403 with the type `/docs/problems#confirmation-required`.
         */
        patch: operations["changeUser"];
        trace?: never;
    };
    "/api/password-resets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a password reset link, valid once and for a day; earlier links stop working
         * @description Takes an administrator, or an API key for all projects.
         *
         *     An API key needs the scope `admin`.
         *
         *     With a session, only within 10 minutes after signing in or `POST /api/session/confirmation`; else 403 with the type `/docs/problems#confirmation-required`.
         */
        post: operations["createPasswordReset"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/password-resets/{token}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the account that a password reset link is for
         * @description Takes no credential.
         */
        get: operations["getPasswordReset"];
        put?: never;
        /**
         * Set a new password; all sessions of the account end, and a new one starts unless a second factor is due
         * @description Takes no credential.
         */
        post: operations["resetPassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description A visit as it was posted; unknown fields are kept */
        Visit: {
            /**
             * @description URL path of the incoming request; may carry a query string
             * @example /articles/1?page=2
             */
            request_path: string;
            /**
             * @description HTTP method of the incoming request
             * @example GET
             */
            request_method: string;
            /** @description Header names, in any case, and their values; those that carry credentials are redacted */
            request_headers: {
                [key: string]: string | number | boolean | null | (string | number | boolean | null)[];
            };
            /**
             * Format: ip-address
             * @description Address of the connection's peer as your server saw it, such as `request.socket.remoteAddress`, without a port. Where it is given, forwarding headers count only behind a trusted proxy
             * @example 203.0.113.7
             * @example 2001:db8::7
             */
            client_address?: string | null;
            /** @description HTTP status code of the response */
            response_status_code?: number | null;
            /** @description Header names, in any case, and their values; those that carry credentials are redacted */
            response_headers?: {
                [key: string]: string | number | boolean | null | (string | number | boolean | null)[];
            } | null;
            /** @description Time to process the request and produce the response */
            response_duration_in_milliseconds?: number | null;
            /**
             * Format: timestamp
             * @description When the visit occurred, ISO 8601, of any age since the year 0001; without an offset it is UTC. Missing or in the future: the time of receipt
             * @example 2026-11-21T08:30:00Z
             */
            created?: string | null;
            /** @description `method` of the MCP request body */
            mcp_request_method?: string | null;
            /** @description `params.name` of the MCP request body, if `method` is `tools/call` */
            mcp_request_tool_name?: string | null;
            /** @description `params.clientInfo.name` of the MCP request body */
            mcp_request_client_info_name?: string | null;
            /** @description `params.clientInfo.version` of the MCP request body */
            mcp_request_client_info_version?: string | null;
            /** @description `result.isError` of the MCP response body */
            mcp_response_result_is_error?: boolean | null;
            /** @description `error.code` of the MCP response body */
            mcp_response_error_code?: number | null;
            /** @description `error.message` of the MCP response body */
            mcp_response_error_message?: string | null;
            /** @description ACP response body, or the result of an MCP response */
            acp_response_body?: {
                [key: string]: unknown;
            } | null;
            /** @description UCP response body, or the structuredContent of an MCP result */
            ucp_response_body?: {
                [key: string]: unknown;
            } | null;
        } & {
            [key: string]: unknown;
        };
        /** @description A signature of the request: Web Bot Auth, RFC 9421 */
        SignatureStep: {
            /** @constant */
            method: "http_message_signature";
            /**
             * @description What it says; an inconclusive one does not count against the agent
             * @enum {string}
             */
            outcome: "verified" | "unverified" | "invalid";
            /** @description ok, or why not; docs/verification.md explains each */
            reason: ("ok" | "no_signature" | "no_web_bot_auth_signature" | "signature_headers_incomplete" | "signature_input_unreadable" | "signature_value_unreadable" | "missing_parameters" | "target_not_covered" | "signature_agent_absent" | "signature_agent_unparsable" | "signature_agent_not_covered" | "signature_agent_member_missing" | "signature_agent_ambiguous" | "signature_agent_member_has_parameters" | "signature_agent_not_https" | "signature_agent_not_a_url" | "signature_agent_not_listed" | "missing_component" | "component_unavailable" | "duplicate_component" | "query_unknown" | "expired" | "created_in_future" | "bad_signature" | "algorithm_mismatch" | "algorithm_not_allowed" | "test_key" | "key_expired" | "key_not_yet_valid" | "key_not_in_directory" | "authority_not_expected" | "directory_unreachable" | "directory_bad_status" | "directory_redirected" | "directory_malformed" | "directory_address_refused" | "directory_pending") | string;
            /**
             * Format: date-time
             * @description Of a visit that was identified again: when this check was made, where it cannot be repeated. Absent where it was made with the rest
             */
            judged_at?: string;
            /** @description Label in Signature-Input */
            label: string | null;
            /** @description RFC 7638 thumbprint of the key */
            key_id: string | null;
            /** @description As RFC 9421 names it */
            algorithm: string | null;
            /** @description As the Signature-Agent header has it */
            signature_agent: string | null;
            /** @description The key directory that it stands for */
            directory_url: string | null;
            /** @description The agent that the directory belongs to */
            agent_token: string | null;
            /**
             * Format: date-time
             * @description From when it holds
             */
            created: string | null;
            /**
             * Format: date-time
             * @description Until when it holds
             */
            expires: string | null;
            /** @description What of the request it covers */
            covered_components: string[];
        };
        /** @description The agent's published addresses */
        IpRangeStep: {
            /** @constant */
            method: "ip_range";
            /**
             * @description What it says; an inconclusive one does not count against the agent
             * @enum {string}
             */
            outcome: "pass" | "fail" | "unknown";
            /** @description ok, or why not; docs/verification.md explains each */
            reason: ("ok" | "address_not_listed" | "list_too_old" | "visit_too_old") | string;
            /**
             * Format: date-time
             * @description Of a visit that was identified again: when this check was made, where it cannot be repeated. Absent where it was made with the rest
             */
            judged_at?: string;
            /** @description The block that holds the address */
            range: string | null;
            /** @description Where the block is published; null for one of the catalog's own */
            list_url: string | null;
            /**
             * Format: date-time
             * @description When the ranges were fetched, of several lists the oldest
             */
            as_of: string | null;
        };
        /** @description Forward-confirmed reverse DNS */
        ReverseDnsStep: {
            /** @constant */
            method: "reverse_dns";
            /**
             * @description What it says; an inconclusive one does not count against the agent
             * @enum {string}
             */
            outcome: "pass" | "fail" | "unknown";
            /** @description ok, or why not; docs/verification.md explains each */
            reason: ("ok" | "no_host_name" | "host_name_not_listed" | "host_name_not_confirmed" | "too_many_host_names" | "visit_too_old" | "dns_timeout" | "dns_error" | "dns_busy" | "dns_off" | "dns_pending") | string;
            /**
             * Format: date-time
             * @description Of a visit that was identified again: when this check was made, where it cannot be repeated. Absent where it was made with the rest
             */
            judged_at?: string;
            /** @description What the address's PTR records say */
            host_names: string[];
            /** @description The one that leads back to the address */
            confirmed_host_name: string | null;
        };
        /** @description A method that this release does not know: pass over it */
        OtherStep: {
            method: string;
        };
        /** @description What the result rests on */
        Evidence: {
            /** @description The part of the User-Agent that named an agent */
            user_agent_match?: string | null;
            /** @description That agent */
            user_agent_token?: string | null;
            /** @description The header that the address was taken from; null for the peer of the connection */
            client_address_source?: string | null;
            /** @description How the address was chosen, or why there is none */
            client_address_reason?: ("connection_peer" | "forwarded_list" | "single_header" | "configured_header" | "configured_hops" | "no_header_believed" | "no_address_header" | "malformed" | "only_trusted_proxies" | "headers_disagree" | "too_few_entries" | "special_purpose_address" | "unnamed_network" | "unlisted_network") | string;
            /** @description How far the address can be believed, if it was taken from a header that the project does not vouch for */
            client_address_note?: "unconfirmed_header" | string;
            /** @description Published range that a visitor who names no agent came from. It proves nothing */
            address_origin?: {
                /** @description Agent that the range is published for */
                agent_token: string;
                /** @description The company behind it */
                operator_name: string | null;
                /** @description The block that holds the address */
                range: string;
                /** @description Where the block is published; null for one of the catalog's own */
                list_url: string | null;
                /**
                 * Format: date-time
                 * @description When the ranges were fetched
                 */
                as_of: string | null;
            };
            /** @description Every check, in order */
            steps?: (components["schemas"]["SignatureStep"] | components["schemas"]["IpRangeStep"] | components["schemas"]["ReverseDnsStep"] | components["schemas"]["OtherStep"])[];
        };
        /** @description Who it was, and how that is known */
        EnrichedIdentification: {
            /** @description Whether the visitor is who it says it is */
            result: ("verified" | "verification_failed" | "not_verifiable" | "unknown_agent") | string;
            /** @description UUIDv5 of the lower-cased token */
            agent_id: string | null;
            /** @description Product token of the agent; null for an unknown one */
            agent_token: string | null;
            /** @description Where its operator describes it */
            agent_url: string | null;
            /**
             * @description What kind of agent it is
             * @example Search Engine Crawler
             */
            agent_type_name: string | null;
            /** @description The company behind it */
            operator_name: string | null;
            /** @description What decided */
            method: ("http_message_signature" | "ip_range" | "reverse_dns" | null) | string;
            /** @description Why the result is what it is */
            reason: ("no_method" | "no_client_address" | "address_not_public" | "no_signature" | "no_web_bot_auth_signature" | "signature_headers_incomplete" | "signature_input_unreadable" | "signature_value_unreadable" | "missing_parameters" | "target_not_covered" | "signature_agent_absent" | "signature_agent_unparsable" | "signature_agent_not_covered" | "signature_agent_member_missing" | "signature_agent_ambiguous" | "signature_agent_member_has_parameters" | "signature_agent_not_https" | "signature_agent_not_a_url" | "signature_agent_not_listed" | "missing_component" | "component_unavailable" | "duplicate_component" | "query_unknown" | "expired" | "created_in_future" | "bad_signature" | "algorithm_mismatch" | "algorithm_not_allowed" | "test_key" | "key_expired" | "key_not_yet_valid" | "key_not_in_directory" | "authority_not_expected" | "directory_unreachable" | "directory_bad_status" | "directory_redirected" | "directory_malformed" | "directory_address_refused" | "directory_pending" | "address_not_listed" | "list_too_old" | "visit_too_old" | "no_host_name" | "host_name_not_listed" | "host_name_not_confirmed" | "too_many_host_names" | "dns_timeout" | "dns_error" | "dns_busy" | "dns_off" | "dns_pending" | null) | string;
            evidence: components["schemas"]["Evidence"];
            /** @description Version of the list of agents it was looked up in */
            catalog_version: string;
        };
        /** @description What the files GEOIP_FILE and ASN_FILE say of a client's address when it is read; it is not stored */
        ClientNetwork: {
            /**
             * @description The network that ASN_FILE has for the address, as CIDR; null where it has no operator for it
             * @example 192.0.2.0/24
             */
            prefix: string | null;
            /** @description Autonomous system (AS) that it belongs to */
            as_number: number | null;
            /** @description The organization behind that autonomous system */
            operator_name: string | null;
            /**
             * @description ISO 3166-1 alpha-2
             * @example DE
             */
            country_code: string | null;
        };
        /** @description An enriched visit as it was published, and what is known of its network */
        TimelineVisit: {
            /**
             * Format: uuid
             * @description UUIDv7; the same on every redelivery
             */
            id: string;
            /**
             * Format: uuid
             * @description The project that reported it
             */
            project_id: string;
            /**
             * Format: date-time
             * @description When it was reported; the time in the id
             */
            received_at: string;
            /**
             * Format: date-time
             * @description Never after received_at
             */
            occurred_at: string;
            /** @description IPv4 or IPv6 address, or null when none can be believed */
            client_address: string | null;
            visit: components["schemas"]["Visit"];
            identification: components["schemas"]["EnrichedIdentification"];
            /** @description What the site's robots.txt said about it; absent for visits that are not an agent's */
            robots?: {
                /** @description What the robots.txt that was in force said. `no_rules`: the site had none. `unreachable`: it answered with an error, which forbids everything. `unknown`: nobody had looked */
                verdict: ("allowed" | "disallowed" | "no_rules" | "unreachable" | "unknown") | string;
                /**
                 * Format: uuid
                 * @description The version of the file; null where there was none
                 */
                version: string | null;
                /** @description The line that decided; null where none did */
                line: number | null;
            };
            /** @description The AI assistant that sent the visitor; absent where none is known */
            referral?: {
                /** @description Name of the assistant */
                assistant: string;
                /** @description The company behind it */
                operator: string;
                /** @description Where it stood */
                source: ("utm_source" | "source" | "ref" | "referer") | string;
                /** @description What stood there, such as a host name */
                value: string;
            };
            /** @description Whether a program made the visit; absent where the agent is known */
            automation?: {
                /** @description Whether it was */
                verdict: ("likely" | "unclear" | "unlikely") | string;
                /** @description What speaks for it; the documentation of insights says how they combine */
                signs: (("no_user_agent" | "bot_name" | "http_library" | "compatible_name" | "bare_name" | "signed" | "headless" | "client_hints" | "from_header" | "markdown" | "handwritten" | "impossible_browser" | "obsolete_browser" | "not_a_browser" | "no_system" | "mistake" | "contact" | "isbot" | "old_browser" | "client_hints_doubt" | "no_accept_language" | "robots_txt" | "data_center") | string)[];
                /** @description The user agent without versions and ids, by which such visits are counted; absent where the verdict is `unlikely` */
                user_agent_group?: string;
            };
            /** @description What the project keeps of a visit of an unknown visitor; absent where it is all. `reduced`: without address, and with few headers. `counted`: nothing but the counts, and this message */
            kept_as?: ("reduced" | "counted") | string;
            /** @description Of a visit that was identified again after it was stored: when, and its first judgment */
            reidentified?: {
                /**
                 * Format: date-time
                 * @description When it was judged as it is now
                 */
                at: string;
                /** @description The members of these names as they were when the visit was received */
                earlier: {
                    /** @description Without evidence where that is not kept */
                    identification: Record<string, never>;
                    /** @description What the site's robots.txt said about it; absent for visits that are not an agent's */
                    robots?: {
                        /** @description What the robots.txt that was in force said. `no_rules`: the site had none. `unreachable`: it answered with an error, which forbids everything. `unknown`: nobody had looked */
                        verdict: ("allowed" | "disallowed" | "no_rules" | "unreachable" | "unknown") | string;
                        /**
                         * Format: uuid
                         * @description The version of the file; null where there was none
                         */
                        version: string | null;
                        /** @description The line that decided; null where none did */
                        line: number | null;
                    };
                    /** @description The AI assistant that sent the visitor; absent where none is known */
                    referral?: {
                        /** @description Name of the assistant */
                        assistant: string;
                        /** @description The company behind it */
                        operator: string;
                        /** @description Where it stood */
                        source: ("utm_source" | "source" | "ref" | "referer") | string;
                        /** @description What stood there, such as a host name */
                        value: string;
                    };
                    /** @description Whether a program made the visit; absent where the agent is known */
                    automation?: {
                        /** @description Whether it was */
                        verdict: ("likely" | "unclear" | "unlikely") | string;
                        /** @description What speaks for it; the documentation of insights says how they combine */
                        signs: (("no_user_agent" | "bot_name" | "http_library" | "compatible_name" | "bare_name" | "signed" | "headless" | "client_hints" | "from_header" | "markdown" | "handwritten" | "impossible_browser" | "obsolete_browser" | "not_a_browser" | "no_system" | "mistake" | "contact" | "isbot" | "old_browser" | "client_hints_doubt" | "no_accept_language" | "robots_txt" | "data_center") | string)[];
                        /** @description The user agent without versions and ids, by which such visits are counted; absent where the verdict is `unlikely` */
                        user_agent_group?: string;
                    };
                };
            };
            /** @description Whose network the client address is in; null where nothing is known */
            client_network: components["schemas"]["ClientNetwork"] | null;
        };
        VisitPage: {
            /** @description In the order asked for */
            visits: components["schemas"]["TimelineVisit"][];
            /** @description The visits that follow; null at the end */
            next_cursor: string | null;
            /** @description The visits before; more may arrive at any time */
            previous_cursor: string | null;
        };
        Problem: {
            /** @description Identifies the kind of problem */
            type: string;
            title: string;
            status: number;
            detail: string;
            /** @description The request id, as in X-Request-Id */
            instance: string;
            /** @description The first 100 faults of the body */
            errors?: {
                /** @description JSON Pointer (RFC 6901) */
                pointer: string;
                detail: string;
            }[];
            /** @description Of a change that somebody else came before: what was to be changed, as it is now */
            current?: unknown;
        };
        VisitDeletionResult: {
            /** @description By this request */
            deleted: {
                visits: number;
                dead_letters: number;
                refused_requests: number;
            };
            /** @description Reports with such visits that wait for Kafka in the outbox: delete again when they are stored. 0 while there is a next_cursor */
            waiting: number;
            /** @description Share of what is to be looked through */
            progress: number;
            /** @description To go on with; null at the end */
            next_cursor: string | null;
        };
        VisitDeletion: {
            /**
             * Format: ip-address
             * @description What holds this address, as the visitor or anywhere else in the visit
             * @example 203.0.113.7
             */
            address?: string;
            /**
             * Format: uuid
             * @description Only of this project; absent: of all
             */
            project_id?: string;
            /** @description `next_cursor` of the answer before */
            cursor?: string;
        };
        VisitCount: {
            /** @description How many match; null where even about how many could not be found out in time */
            visits: number | null;
            /** @description Whether they were counted one by one: up to 10000. More are about so many, rounded */
            is_exact: boolean;
        };
        TrustedProxies: {
            /**
             * @description `none`: the site is not behind a proxy, no header is believed
             * @enum {string}
             */
            mode?: "default" | "none";
            /** @description Operators of the content delivery networks, load balancers and platforms in front of the site, by their names in the catalog, e.g. Cloudflare. Headers of others are ignored. An empty list: only proxies of its own. Without it every known network is trusted */
            networks?: string[];
            /** @description Trusted proxies in front of the site */
            hops?: number;
            /** @description More trusted ranges, as CIDR */
            ranges?: string[];
            /** @description The one header to believe, e.g. cf-connecting-ip */
            header?: string;
        };
        /**
         * @description owner: all of it. member: reads, changes settings, sees and makes tokens. viewer: reads, but no token values.
         * @enum {string}
         */
        ProjectRole: "owner" | "member" | "viewer";
        Project: {
            /** Format: uuid */
            id: string;
            /** Format: single-line */
            name: string;
            /**
             * Format: uri
             * @description The site's address
             */
            site_address: string | null;
            /** @description The site's host names; empty accepts a signature for any */
            host_names: string[];
            /**
             * Format: single-line
             * @description IANA time zone
             * @example Europe/Berlin
             */
            time_zone: string;
            trusted_proxies: components["schemas"]["TrustedProxies"];
            /** @description Names of headers, fields and parameters whose values are redacted, beside those of credentials */
            redacted_headers: string[];
            /** @description Names whose values are kept although they look like credentials. Authorization, cookies and what the instance redacts cannot be kept */
            unredacted_headers: string[];
            /**
             * @description Visits of unknown visitors, which are mostly people: `kept` like others, `reduced` to what is kept without the address and with only the headers that identification needs, or only `counted`. It applies to new visits
             * @enum {string}
             */
            unknown_visitors: "kept" | "reduced" | "counted";
            /** @description Whether its visits are made up */
            is_demo: boolean;
            /** Format: date-time */
            created_at: string;
            role: components["schemas"]["ProjectRole"];
        };
        ProjectList: {
            projects: components["schemas"]["Project"][];
        };
        NewProject: {
            /** Format: single-line */
            name: string;
            /**
             * Format: uri
             * @description The site's address
             */
            site_address?: string | null;
            /** @description The site's host names; empty accepts a signature for any */
            host_names?: string[];
            /**
             * Format: single-line
             * @description IANA time zone
             * @example Europe/Berlin
             */
            time_zone?: string;
            trusted_proxies?: components["schemas"]["TrustedProxies"];
            /** @description Names of headers, fields and parameters whose values are redacted, beside those of credentials */
            redacted_headers?: string[];
            /** @description Names whose values are kept although they look like credentials. Authorization, cookies and what the instance redacts cannot be kept */
            unredacted_headers?: string[];
            /**
             * @description Visits of unknown visitors, which are mostly people: `kept` like others, `reduced` to what is kept without the address and with only the headers that identification needs, or only `counted`. It applies to new visits
             * @enum {string}
             */
            unknown_visitors?: "kept" | "reduced" | "counted";
        };
        ProjectChange: {
            /** Format: single-line */
            name?: string;
            /**
             * Format: uri
             * @description The site's address
             */
            site_address?: string | null;
            /** @description The site's host names; empty accepts a signature for any */
            host_names?: string[];
            /**
             * Format: single-line
             * @description IANA time zone
             * @example Europe/Berlin
             */
            time_zone?: string;
            trusted_proxies?: components["schemas"]["TrustedProxies"];
            /** @description Names of headers, fields and parameters whose values are redacted, beside those of credentials */
            redacted_headers?: string[];
            /** @description Names whose values are kept although they look like credentials. Authorization, cookies and what the instance redacts cannot be kept */
            unredacted_headers?: string[];
            /**
             * @description Visits of unknown visitors, which are mostly people: `kept` like others, `reduced` to what is kept without the address and with only the headers that identification needs, or only `counted`. It applies to new visits
             * @enum {string}
             */
            unknown_visitors?: "kept" | "reduced" | "counted";
        };
        AccessToken: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            project_id: string;
            /** Format: single-line */
            name: string;
            /** @description Last characters of the token, to tell tokens apart */
            hint: string;
            /** Format: date-time */
            created_at: string;
            /** @description Email address of the person who created it, or who created the API key that did; null if unknown */
            created_by: string | null;
            /** Format: date-time */
            revoked_at: string | null;
            /**
             * Format: date-time
             * @description To the minute; null: never
             */
            last_used_at: string | null;
            /**
             * Format: date-time
             * @description When it stops working; null: never
             */
            expires_at: string | null;
            /** @description Where it may be used from; empty: anywhere */
            allowed_networks: string[];
            /** @description `report`: report visits; `drain`: send log lines; `ask`: identify and verify requests, and get rules; `forward`: proxies that ask about each request */
            purposes: ("report" | "drain" | "ask" | "forward")[];
        };
        AccessTokenList: {
            tokens: components["schemas"]["AccessToken"][];
        };
        RevealedAccessToken: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            project_id: string;
            /** Format: single-line */
            name: string;
            /** @description Last characters of the token, to tell tokens apart */
            hint: string;
            /** Format: date-time */
            created_at: string;
            /** @description Email address of the person who created it, or who created the API key that did; null if unknown */
            created_by: string | null;
            /** Format: date-time */
            revoked_at: string | null;
            /**
             * Format: date-time
             * @description To the minute; null: never
             */
            last_used_at: string | null;
            /**
             * Format: date-time
             * @description When it stops working; null: never
             */
            expires_at: string | null;
            /** @description Where it may be used from; empty: anywhere */
            allowed_networks: string[];
            /** @description `report`: report visits; `drain`: send log lines; `ask`: identify and verify requests, and get rules; `forward`: proxies that ask about each request */
            purposes: ("report" | "drain" | "ask" | "forward")[];
            token: string;
        };
        NewAccessToken: {
            /** Format: single-line */
            name?: string;
            /**
             * Format: date-time
             * @description When it stops working, in the future; null: never
             */
            expires_at?: string | null;
            /** @description Addresses and networks that it may be used from, such as 192.0.2.0/24; empty or absent: anywhere */
            allowed_networks?: string[];
            /** @description `report`: report visits; `drain`: send log lines; `ask`: identify and verify requests, and get rules; `forward`: proxies that ask about each request. Default: all */
            purposes?: ("report" | "drain" | "ask" | "forward")[];
        };
        ApiKey: {
            /** Format: uuid */
            id: string;
            /** Format: single-line */
            name: string;
            /** @description `read`: what viewers of a project read, and administrators of the instance; `write`: what members of a project may do besides; `admin`: what owners and administrators may do besides. None includes another, and all take the right as well */
            scopes: ("read" | "write" | "admin")[];
            /** @description The projects that it reaches; null: all, or all that its person reaches */
            project_ids: string[] | null;
            /** @description Email address of the person whose own key it is: it may do no more than they may; null for others */
            acts_as: string | null;
            /** Format: date-time */
            created_at: string;
            /** @description Email address of the person who created it, or who created the API key that did; null if unknown */
            created_by: string | null;
            /** Format: date-time */
            revoked_at: string | null;
            /**
             * Format: date-time
             * @description To the minute; null: never
             */
            last_used_at: string | null;
            /**
             * Format: date-time
             * @description When it stops working; null: never
             */
            expires_at: string | null;
        };
        ApiKeyList: {
            api_keys: components["schemas"]["ApiKey"][];
        };
        RevealedApiKey: {
            /** Format: uuid */
            id: string;
            /** Format: single-line */
            name: string;
            /** @description `read`: what viewers of a project read, and administrators of the instance; `write`: what members of a project may do besides; `admin`: what owners and administrators may do besides. None includes another, and all take the right as well */
            scopes: ("read" | "write" | "admin")[];
            /** @description The projects that it reaches; null: all, or all that its person reaches */
            project_ids: string[] | null;
            /** @description Email address of the person whose own key it is: it may do no more than they may; null for others */
            acts_as: string | null;
            /** Format: date-time */
            created_at: string;
            /** @description Email address of the person who created it, or who created the API key that did; null if unknown */
            created_by: string | null;
            /** Format: date-time */
            revoked_at: string | null;
            /**
             * Format: date-time
             * @description To the minute; null: never
             */
            last_used_at: string | null;
            /**
             * Format: date-time
             * @description When it stops working; null: never
             */
            expires_at: string | null;
            /** @description Shown once */
            key: string;
        };
        NewApiKey: {
            /** Format: single-line */
            name?: string;
            /** @description `read`: what viewers of a project read, and administrators of the instance; `write`: what members of a project may do besides; `admin`: what owners and administrators may do besides. None includes another, and all take the right as well. All of them when absent */
            scopes?: ("read" | "write" | "admin")[];
            /** @description The projects that it reaches; all when absent */
            project_ids?: string[];
            /**
             * Format: date-time
             * @description When it stops working, in the future; null: never
             */
            expires_at?: string | null;
        };
        DeadLetter: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            project_id: string | null;
            topic: string;
            key: string | null;
            headers: {
                [key: string]: string;
            };
            /** @description Bytes */
            size: number;
            /** @description Why it can never be processed */
            reason: ("invalid_visit" | "malformed_message" | "too_deep" | "too_large" | "from_the_future" | "refused_by_database") | string;
            detail: string;
            step: string;
            partition: number | null;
            offset: string | null;
            /** Format: date-time */
            failed_at: string;
            /** Format: date-time */
            replayed_at: string | null;
        };
        DeadLetterPage: {
            /** @description Newest first */
            dead_letters: components["schemas"]["DeadLetter"][];
            next_cursor: string | null;
        };
        DeadLetterWithBody: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            project_id: string | null;
            topic: string;
            key: string | null;
            headers: {
                [key: string]: string;
            };
            /** @description Bytes */
            size: number;
            /** @description Why it can never be processed */
            reason: ("invalid_visit" | "malformed_message" | "too_deep" | "too_large" | "from_the_future" | "refused_by_database") | string;
            detail: string;
            step: string;
            partition: number | null;
            offset: string | null;
            /** Format: date-time */
            failed_at: string;
            /** Format: date-time */
            replayed_at: string | null;
            /** @description The bytes as they came */
            value_base64: string;
        };
        DeadLetterReplayResult: {
            /** @description Dead letters put back on their topic */
            replayed: number;
        };
        DeadLetterReplay: {
            ids: string[];
        };
        Agent: {
            /**
             * Format: uuid
             * @description UUIDv5 of the lower-cased token
             */
            id: string;
            /**
             * @description Came with the release, was accepted from a feed, or was added here
             * @enum {string}
             */
            origin: "bundled" | "feed" | "own";
            /** @description It came with the release or from a feed and was changed here */
            is_edited: boolean;
            /**
             * Format: date-time
             * @description When it was added, or last changed by a person or a feed
             */
            changed_at: string;
            /** @description Where it came from; absent unless it came from a feed */
            feed?: {
                /**
                 * Format: uuid
                 * @description null once the feed was removed
                 */
                id: string | null;
                name: string;
                /** @description null for a file */
                url: string | null;
                /**
                 * Format: date-time
                 * @description When this version of it was accepted
                 */
                accepted_at: string;
                /**
                 * Format: date-time
                 * @description Since when the feed no longer has it
                 */
                gone_at: string | null;
            };
            /** @description Display name, unique ignoring case */
            token: string;
            /**
             * @description What kind of agent it is
             * @enum {string}
             */
            type: "AI Agent" | "AI Assistant" | "AI Coding Agent" | "AI Data Provider" | "AI Data Scraper" | "AI Search Crawler" | "Archiver" | "Developer Helper" | "Fetcher" | "Automated Agent" | "Intelligence Gatherer" | "Scraper" | "SEO Crawler" | "Search Engine Crawler" | "Security Scanner" | "Undocumented AI Agent" | "Uncategorized";
            /** @description What it does with pages, as far as known; an agent can have several behaviors */
            behaviors?: ("search" | "training" | "user_fetch" | "actions" | "link_preview" | "advertising" | "monitoring")[];
            /** @description Date on which its operator ended it; later visits imitate it */
            ended_on?: string;
            /** @description The company behind it; null if unknown */
            operator: string | null;
            /** @description Where its operator describes it; null if nowhere */
            url: string | null;
            /** @description Searched in the User-Agent as a whole name, ignoring case. A portable subset of regular expressions: printable ASCII, where ^ $ . * + ? ( ) [ ] { } | and \ are escaped with \; . and classes such as [\w.-] and [^)]; \d and \w; ^, $, \b and \B; | and (?:…); and ?, *, + and {2,80} of a single character or class, ? also of a group. At most one repetition has no upper bound. No look-arounds, back-references or capturing groups. Each requires a text of 3 characters */
            user_agent_patterns: string[];
            /** @description Those of user_agent_patterns over which any named agent wins, however short */
            fallback_patterns?: string[];
            /** @description Those of user_agent_patterns that also match part of a word, in a contact address, and in an app's own User-Agent; others match whole names only */
            loose_patterns?: string[];
            /** @description A match directly after one of these texts does not count, such as "like "; ignoring case */
            excluded_prefixes?: string[];
            /** @description For each pattern, a User-Agent that it matches */
            sample_user_agents?: string[];
            /** @description Product token for robots.txt; null if it has none */
            robots_token: string | null;
            /** @description How it can be verified; empty where the catalog lists no way to */
            verification: {
                /** @description Its confirmed host name equals one of these or ends in it */
                reverse_dns_suffixes?: string[];
                /** @description Address lists that its operator publishes */
                ip_list_urls?: {
                    url: string;
                    format: string;
                }[];
                /** @description Its addresses, as CIDR */
                ip_ranges?: string[];
                /** @description Date of ip_ranges; absent: they are current */
                ip_ranges_as_of?: string;
                /** @description Hosts or addresses of its Web Bot Auth key directories */
                signature_agents?: string[];
            };
            /** @description A library or framework that others build on: any named agent wins over it */
            generic?: boolean;
            /** @description Of generic agents, one that wins over libraries */
            framework?: boolean;
            /** @description Never sent in a User-Agent */
            robots_only?: boolean;
            /** @description Sends a stock browser's User-Agent */
            signature_only?: boolean;
            /** @description Where the facts came from */
            sources?: string[];
            /** @description Patterns that an earlier release took and this one would refuse; they still find the agent */
            faults?: {
                pointer: string;
                detail: string;
            }[];
        };
        AgentPage: {
            /** @description By token */
            agents: components["schemas"]["Agent"][];
            /** @description null at the end */
            next_cursor: string | null;
            /** @description Version of the catalog in use */
            catalog_version: string;
        };
        /** @description An agent, as a data file has it; nothing in it is unbounded */
        AgentRecord: {
            /** @description Display name, unique ignoring case */
            token: string;
            /**
             * @description What kind of agent it is
             * @enum {string}
             */
            type: "AI Agent" | "AI Assistant" | "AI Coding Agent" | "AI Data Provider" | "AI Data Scraper" | "AI Search Crawler" | "Archiver" | "Developer Helper" | "Fetcher" | "Automated Agent" | "Intelligence Gatherer" | "Scraper" | "SEO Crawler" | "Search Engine Crawler" | "Security Scanner" | "Undocumented AI Agent" | "Uncategorized";
            /** @description What it does with pages, as far as known; an agent can have several behaviors */
            behaviors?: ("search" | "training" | "user_fetch" | "actions" | "link_preview" | "advertising" | "monitoring")[];
            /** @description Date on which its operator ended it; later visits imitate it */
            ended_on?: string;
            /** @description The company behind it; null if unknown */
            operator: string | null;
            /** @description Where its operator describes it; null if nowhere */
            url: string | null;
            /** @description Searched in the User-Agent as a whole name, ignoring case. A portable subset of regular expressions: printable ASCII, where ^ $ . * + ? ( ) [ ] { } | and \ are escaped with \; . and classes such as [\w.-] and [^)]; \d and \w; ^, $, \b and \B; | and (?:…); and ?, *, + and {2,80} of a single character or class, ? also of a group. At most one repetition has no upper bound. No look-arounds, back-references or capturing groups. Each requires a text of 3 characters */
            user_agent_patterns: string[];
            /** @description Those of user_agent_patterns over which any named agent wins, however short */
            fallback_patterns?: string[];
            /** @description Those of user_agent_patterns that also match part of a word, in a contact address, and in an app's own User-Agent; others match whole names only */
            loose_patterns?: string[];
            /** @description A match directly after one of these texts does not count, such as "like "; ignoring case */
            excluded_prefixes?: string[];
            /** @description For each pattern, a User-Agent that it matches */
            sample_user_agents?: string[];
            /** @description Product token for robots.txt; null if it has none */
            robots_token: string | null;
            /** @description How it can be verified; empty where the catalog lists no way to */
            verification: {
                /** @description Its confirmed host name equals one of these or ends in it */
                reverse_dns_suffixes?: string[];
                /** @description Address lists that its operator publishes */
                ip_list_urls?: {
                    url: string;
                    format: string;
                }[];
                /** @description Its addresses, as CIDR */
                ip_ranges?: string[];
                /** @description Date of ip_ranges; absent: they are current */
                ip_ranges_as_of?: string;
                /** @description Hosts or addresses of its Web Bot Auth key directories */
                signature_agents?: string[];
            };
            /** @description A library or framework that others build on: any named agent wins over it */
            generic?: boolean;
            /** @description Of generic agents, one that wins over libraries */
            framework?: boolean;
            /** @description Never sent in a User-Agent */
            robots_only?: boolean;
            /** @description Sends a stock browser's User-Agent */
            signature_only?: boolean;
            /** @description Where the facts came from */
            sources?: string[];
        };
        CatalogSummary: {
            agents: number;
            /** @description Agents of each type that has any, and how many of them have a token for robots.txt */
            types: {
                type: string;
                agents: number;
                robots_tokens: number;
            }[];
            /** @description The same of each operator that is known, by name */
            operators: {
                operator: string;
                agents: number;
                robots_tokens: number;
            }[];
        };
        AgentExport: components["schemas"]["AgentRecord"][];
        AgentImportResult: {
            added: number;
            changed: number;
            unchanged: number;
        };
        /** @description Agents as a data file has them; those whose token is known replace it */
        AgentImport: unknown[];
        /** @description An identification with its evidence */
        Explanation: {
            /** @description The address believed */
            client_address: string | null;
            identification: components["schemas"]["EnrichedIdentification"];
        };
        ExplanationRequest: {
            /**
             * Format: uuid
             * @description Its settings for proxies and host names count; else the defaults
             */
            project_id?: string;
            request_method?: string;
            request_path?: string;
            /** @description Header names, in any case, and their values; those that carry credentials are redacted */
            request_headers: {
                [key: string]: string | number | boolean | null | (string | number | boolean | null)[];
            };
            /**
             * Format: ip-address
             * @description Address of the connection's peer as your server saw it, such as `request.socket.remoteAddress`, without a port. Where it is given, forwarding headers count only behind a trusted proxy
             * @example 203.0.113.7
             * @example 2001:db8::7
             */
            client_address?: string | null;
        } & {
            [key: string]: unknown;
        };
        /** @description A request signed by the test agent, for the caller to send */
        TestVisit: {
            method: string;
            url: string;
            /** @description To be sent as they are, within five minutes */
            headers: {
                [key: string]: string;
            };
            agent_token: string;
            signature_agent: string;
            key_id: string;
        };
        NewTestVisit: {
            /**
             * Format: uri
             * @description http or https address of a page
             */
            url: string;
        };
        Assistant: {
            /**
             * Format: uuid
             * @description UUIDv5 of the lower-cased name
             */
            id: string;
            /**
             * @description Came with the release, or was added here
             * @enum {string}
             */
            origin: "bundled" | "own";
            /** @description It came with the release and was changed here */
            is_edited: boolean;
            /**
             * Format: single-line
             * @description Display name, unique ignoring case
             */
            name: string;
            /**
             * Format: single-line
             * @description The company behind it, spelled as its agents have it: crawls and referrals are compared by it
             */
            operator: string;
            /** @description Host names in the Referer, in lower case; subdomains belong to them */
            hosts: string[];
            /** @description Values of `utm_source`, `source` and `ref` in links that it makes, in lower case; its hosts count, too */
            query_values: string[];
            /** @description Package names of its Android apps, which send `android-app://…` as the Referer */
            android_apps: string[];
            /** @description Where the facts came from */
            sources?: string[];
        };
        AssistantList: {
            /** @description By name */
            assistants: components["schemas"]["Assistant"][];
        };
        /** @description An assistant that sends people to sites, as the data file has it */
        AssistantRecord: {
            /**
             * Format: single-line
             * @description Display name, unique ignoring case
             */
            name: string;
            /**
             * Format: single-line
             * @description The company behind it, spelled as its agents have it: crawls and referrals are compared by it
             */
            operator: string;
            /** @description Host names in the Referer, in lower case; subdomains belong to them */
            hosts: string[];
            /** @description Values of `utm_source`, `source` and `ref` in links that it makes, in lower case; its hosts count, too */
            query_values: string[];
            /** @description Package names of its Android apps, which send `android-app://…` as the Referer */
            android_apps: string[];
            /** @description Where the facts came from */
            sources?: string[];
        };
        AgentFeed: {
            /** Format: uuid */
            id: string;
            /** Format: single-line */
            name: string;
            /** @description Whether what it brings is accepted without being asked about, unless it is refused */
            accepts_all: boolean;
            /** @description Where it is fetched from once a day; null for a file that was sent */
            url: string | null;
            /** @description Ed25519 key in PEM: only what it has signed is taken; null takes any */
            public_key: string | null;
            /**
             * @description Format of the last document; null until one was read
             * @enum {string|null}
             */
            format: "agent-traffic" | "crawler-user-agents" | "ai.robots.txt" | "well-known-bots" | null;
            /**
             * Format: date-time
             * @description When its publisher signed the last document; null if it is not signed
             */
            signed_at: string | null;
            /**
             * @description Waiting to be read, or how the last attempt ended; after a failure what it brought before stays
             * @enum {string}
             */
            state: "waiting" | "current" | "failed";
            /** @description Why the last attempt failed, and what to do; null if it did not */
            fault: string | null;
            /**
             * Format: date-time
             * @description When it was last read without a fault
             */
            fetched_at: string | null;
            /**
             * Format: date-time
             * @description When it is fetched again; null if only on request
             */
            next_refresh_at: string | null;
            /**
             * Format: date-time
             * @description When it was added
             */
            created_at: string;
            /** @description Its agents by what became of them */
            counts: {
                /** @description Agents that are proposed */
                proposed: number;
                /** @description Agents that are accepted */
                accepted: number;
                /** @description Agents that are dismissed */
                dismissed: number;
                /** @description Agents that are known */
                known: number;
                /** @description Agents that are refused */
                refused: number;
                /** @description Accepted agents that the feed no longer has */
                gone: number;
            };
        };
        AgentFeeds: {
            /** @description By name */
            feeds: components["schemas"]["AgentFeed"][];
        };
        /** @description A feed with either `url` or `document` */
        NewAgentFeed: {
            /** Format: single-line */
            name: string;
            /** @description Whether what it brings is accepted without being asked about, unless it is refused */
            accepts_all?: boolean;
            /** @description An https address */
            url?: string;
            /**
             * Format: postgres-text
             * @description The content of a file: what it has replaces what the feed had before
             */
            document?: string;
            /** @description Ed25519 key in PEM; only what it signed is taken */
            public_key?: string;
        };
        AgentFeedChange: {
            /** Format: single-line */
            name?: string;
            /** @description Whether what it brings is accepted without being asked about, unless it is refused */
            accepts_all?: boolean;
            /**
             * Format: postgres-text
             * @description The content of a file: what it has replaces what the feed had before
             */
            document?: string;
        };
        FeedAgent: {
            /** Format: uuid */
            feed_id: string;
            feed_name: string;
            /**
             * Format: uuid
             * @description Id that the agent has, or would have, in the catalog
             */
            agent_id: string;
            /** @description Name of the agent; of one that was refused as the feed names it */
            token: string;
            /** @enum {string} */
            state: "proposed" | "accepted" | "dismissed" | "known" | "refused";
            /** @description It was accepted before, and the feed has changed it since */
            is_change: boolean;
            /** @description Why it is refused, or as what the catalog knows it already */
            reason: string | null;
            /** @description What the catalog would have; null for what cannot be read as an agent */
            record: components["schemas"]["AgentRecord"] | null;
            /**
             * Format: date-time
             * @description When the feed first had it
             */
            first_seen_at: string;
            /**
             * Format: date-time
             * @description Since when the feed no longer has it
             */
            gone_at: string | null;
        };
        FeedAgents: {
            /** @description By token */
            agents: components["schemas"]["FeedAgent"][];
            /** @description All that there are, those beyond the limit included */
            total: number;
        };
        FeedDecisionResult: {
            /** @description Agents that were accepted or dismissed */
            decided: number;
            /** @description Agents that no longer fit into the catalog, or not together with the others */
            refused: {
                token: string;
                reason: string;
            }[];
        };
        FeedDecision: {
            /** Format: uuid */
            feed_id: string;
            /** @description Which of the proposed agents; absent: all of them */
            agent_ids?: string[];
        };
        ProposalVisits: {
            /**
             * Format: date-time
             * @description Since when visits are counted: 7 days ago
             */
            from: string;
            /** @description Stored visits of unknown visitors whose User-Agents were read */
            read: number;
            /** @description Too many to read them all: numbers are projected from a sample */
            is_estimate: boolean;
            /** @description Those of the proposed agents that match any */
            proposals: {
                /** Format: uuid */
                feed_id: string;
                /** Format: uuid */
                agent_id: string;
                /** @description Visits whose User-Agent it would match */
                visits: number;
            }[];
        };
        ProjectSummaries: {
            summaries: {
                /** Format: uuid */
                project_id: string;
                /**
                 * Format: date-time
                 * @description The quarter of an hour of its oldest visit; null: there was none
                 */
                first_visit_at: string | null;
                /**
                 * Format: date-time
                 * @description When its newest visit occurred, also before these hours; null: there was none
                 */
                last_visit_at: string | null;
                /** @description Whether there was ever a visit of the kind MCP, ACP or UCP */
                has_tools: boolean;
                /** @description In the 24 hours that end with the quarter of an hour under way */
                visits: number;
                /** @description Of agents, also of those that are not who they say */
                agent_visits: number;
                /** @description Of an agent that is who it says it is */
                verified: number;
                /** @description Of somebody who is not who they say they are */
                verification_failed: number;
                /** @description Visits of each hour by the clock, oldest first; the last one is under way */
                hours: number[];
            }[];
        };
        OverviewSample: {
            /**
             * @description What is counted from stored visits: `top_pages` and `top_statuses` alone, or every number
             * @enum {string}
             */
            of: "lists" | "all";
            /** @description Stored visits that were read, and that pass the filters by agent, type, operator and result */
            visits_read: number;
            /** @description Visits of the range that pass them by the counts */
            visits: number;
            /** @description Of these, visits that are not stored: their retention is over, or they were only counted */
            not_stored: number;
            /** @description Not all were read: those that were stand for the others */
            is_estimated: boolean;
        };
        VisitTotals: {
            /** @description Of agents and of people */
            visits: number;
            /** @description Of agents, also of those that are not who they say */
            agent_visits: number;
            /** @description Different agents */
            agents: number;
            /** @description Of an agent that is who it says it is */
            verified: number;
            /** @description Of somebody who is not who they say they are */
            verification_failed: number;
            /** @description Of an agent, where nothing tells whether it is the one */
            not_verifiable: number;
            /** @description Of people, and of agents that the catalog does not have */
            unknown_agent: number;
        };
        PageCount: {
            /** @description Without the query; empty for all others together */
            path: string;
            /** @description Visits */
            visits: number;
            /** @description Of the range that it is compared with */
            previous_visits?: number;
        };
        StatusCount: {
            /** @description null for all others together */
            status: number | null;
            /** @description Visits */
            visits: number;
            /** @description Of the range that it is compared with */
            previous_visits?: number;
        };
        /** @description `previous` is of the range that it is compared with */
        Overview: {
            /**
             * Format: date-time
             * @description Where counting starts: the quarter of an hour that holds what was asked for
             */
            from: string;
            /**
             * Format: date-time
             * @description Where it ends, exclusive: the next full quarter of an hour
             */
            to: string;
            /** @description The project's IANA time zone, by which hours, days, weeks and months begin */
            time_zone: string;
            /**
             * @description Length of an item of the series: 15m up to 26 hours, 1h up to 8 days, 1d (of 23 to 25 hours) up to 100 days, 1w (from Monday) up to 750 days, else 1mo
             * @enum {string}
             */
            bucket: "15m" | "1h" | "1d" | "1w" | "1mo";
            /**
             * Format: date-time
             * @description Where the range that it is compared with starts
             */
            compared_from: string;
            /**
             * Format: date-time
             * @description Where that ends, exclusive
             */
            compared_to: string;
            /** @description null where all is from counts */
            sample: components["schemas"]["OverviewSample"] | null;
            current: components["schemas"]["VisitTotals"];
            previous: components["schemas"]["VisitTotals"];
            series: {
                /**
                 * Format: date-time
                 * @description When it begins; the first may begin before `from`, and counts from there only
                 */
                time: string;
                /** @description Visits */
                visits: number;
                /** @description Visits by type of agent; the empty name is for those of no known agent */
                by_type: {
                    [key: string]: number;
                };
            }[];
            /** @description Of the range that it is compared with, in the same buckets: the first item stands beside the first. Where clocks change or months differ in length there may be one more or less */
            previous_series: {
                /**
                 * Format: date-time
                 * @description When it begins; the first may begin before `from`, and counts from there only
                 */
                time: string;
                /** @description Visits */
                visits: number;
                /** @description Visits by type of agent; the empty name is for those of no known agent */
                by_type: {
                    [key: string]: number;
                };
            }[];
            top_agents: {
                /** Format: uuid */
                agent_id: string;
                /** @description null where the agent is no longer in the catalog */
                agent_token: string | null;
                /** @description One of the types, such as Search Engine Crawler */
                agent_type_name: string | null;
                /** @description The company behind it */
                operator_name: string | null;
                /** @description Visits */
                visits: number;
                /** @description Of the range that it is compared with */
                previous_visits: number;
                /** @description Of an agent that is who it says it is */
                verified: number;
                /** @description Of somebody who is not who they say they are */
                verification_failed: number;
            }[];
            top_operators: {
                operator_name: string;
                /** @description Visits */
                visits: number;
                /** @description Of the range that it is compared with */
                previous_visits: number;
            }[];
            /** @description The rest comes last */
            top_pages: components["schemas"]["PageCount"][];
            /** @description The rest comes last */
            top_statuses: components["schemas"]["StatusCount"][];
        };
        /** @description Nothing is compared with a time from which there are no visits */
        News: {
            /**
             * Format: date-time
             * @description Where the range starts: the quarter of an hour that holds what was asked for
             */
            from: string;
            /**
             * Format: date-time
             * @description Where it ends, exclusive: the next full quarter of an hour
             */
            to: string;
            /**
             * Format: date-time
             * @description Where the range that it is compared with starts
             */
            compared_from: string;
            /**
             * Format: date-time
             * @description Where that ends, exclusive
             */
            compared_to: string;
            /** @description The most important of each kind in this order of kinds: `silence`, `errors`, `spoofing`, `new_agent`, `agent_change`, `address_lists`; then the second of each, and so on. At most 10 of a kind */
            items: ({
                /** @constant */
                kind: "silence";
                /**
                 * Format: date-time
                 * @description When the newest visit occurred
                 */
                since: string;
                /** @description Visits at the same times of an earlier day */
                expected_visits: number;
                /** @description How many days earlier that was */
                days_before: number;
            } | {
                /** @constant */
                kind: "errors";
                /**
                 * @description Class of the status
                 * @enum {string}
                 */
                status: "4xx" | "5xx";
                /** @description Visits of agents with such a status */
                visits: number;
                /** @description All visits of agents */
                agent_visits: number;
                /** @description As `visits`, in the range that it is compared with; null where visits do not reach back that far */
                previous_visits: number | null;
                /** @description As `agent_visits`, in the range that it is compared with */
                previous_agent_visits: number;
                /** @description The page with most of them, without its query */
                page: string;
                /** @description Of `visits`, those of that page */
                page_visits: number;
                /** @description There were more than 5000 in this range or before: the newest ones are counted */
                is_sampled: boolean;
            } | {
                /** @constant */
                kind: "spoofing";
                /** Format: uuid */
                agent_id: string;
                /** @description null where the agent is no longer in the catalog */
                agent_token: string | null;
                /** @description Type of the agent */
                agent_type_name: string | null;
                /** @description The company behind it */
                operator_name: string | null;
                /** @description How many such networks */
                networks: number;
                /** @description The one with most visits: /24 of IPv4, /48 of IPv6 */
                network: string;
                /** @description Visits from these networks that failed verification */
                visits: number;
                /** @description Of the newest one */
                reason: ("no_method" | "no_client_address" | "address_not_public" | "no_signature" | "no_web_bot_auth_signature" | "signature_headers_incomplete" | "signature_input_unreadable" | "signature_value_unreadable" | "missing_parameters" | "target_not_covered" | "signature_agent_absent" | "signature_agent_unparsable" | "signature_agent_not_covered" | "signature_agent_member_missing" | "signature_agent_ambiguous" | "signature_agent_member_has_parameters" | "signature_agent_not_https" | "signature_agent_not_a_url" | "signature_agent_not_listed" | "missing_component" | "component_unavailable" | "duplicate_component" | "query_unknown" | "expired" | "created_in_future" | "bad_signature" | "algorithm_mismatch" | "algorithm_not_allowed" | "test_key" | "key_expired" | "key_not_yet_valid" | "key_not_in_directory" | "authority_not_expected" | "directory_unreachable" | "directory_bad_status" | "directory_redirected" | "directory_malformed" | "directory_address_refused" | "directory_pending" | "address_not_listed" | "list_too_old" | "visit_too_old" | "no_host_name" | "host_name_not_listed" | "host_name_not_confirmed" | "too_many_host_names" | "dns_timeout" | "dns_error" | "dns_busy" | "dns_off" | "dns_pending" | null) | string;
            } | {
                /** @constant */
                kind: "new_agent";
                /** Format: uuid */
                agent_id: string;
                /** @description null where the agent is no longer in the catalog */
                agent_token: string | null;
                /** @description Type of the agent */
                agent_type_name: string | null;
                /** @description The company behind it */
                operator_name: string | null;
                /** @description Its visits, without those that failed verification */
                visits: number;
            } | {
                /** @constant */
                kind: "agent_change";
                /** Format: uuid */
                agent_id: string;
                /** @description null where the agent is no longer in the catalog */
                agent_token: string | null;
                /** @description Type of the agent */
                agent_type_name: string | null;
                /** @description The company behind it */
                operator_name: string | null;
                /** @description Its visits, without those that failed verification */
                visits: number;
                /** @description As `visits`, in the range that it is compared with */
                previous_visits: number;
            } | {
                /** @constant */
                kind: "address_lists";
                /** @description Lists whose last attempt failed and that were never fetched, or not for two days */
                failing: number;
                /** @description All lists */
                lists: number;
            })[];
        };
        VisitingAgents: {
            /**
             * Format: date-time
             * @description Where counting starts: the quarter of an hour that holds what was asked for
             */
            from: string;
            /**
             * Format: date-time
             * @description Where it ends, exclusive: the next full quarter of an hour
             */
            to: string;
            /** @description The project's IANA time zone, by which hours, days, weeks and months begin */
            time_zone: string;
            /**
             * @description Length of an item of the series: 15m up to 26 hours, 1h up to 8 days, 1d (of 23 to 25 hours) up to 100 days, 1w (from Monday) up to 750 days, else 1mo
             * @enum {string}
             */
            bucket: "15m" | "1h" | "1d" | "1w" | "1mo";
            /**
             * Format: date-time
             * @description Where the range that it is compared with starts
             */
            compared_from: string;
            /**
             * Format: date-time
             * @description Where that ends, exclusive
             */
            compared_to: string;
            agents: {
                /** Format: uuid */
                agent_id: string;
                /** @description null where the agent is no longer in the catalog */
                agent_token: string | null;
                /** @description One of the types, such as Search Engine Crawler */
                agent_type_name: string | null;
                /** @description The company behind it */
                operator_name: string | null;
                /** @description Where its operator describes it */
                agent_url: string | null;
                /** @description Whether the catalog lists a way to verify it */
                is_verifiable: boolean;
                /** @description Visits */
                visits: number;
                /** @description Of the range that it is compared with */
                previous_visits: number;
                /** @description Of an agent that is who it says it is */
                verified: number;
                /** @description Of somebody who is not who they say they are */
                verification_failed: number;
                /**
                 * Format: date-time
                 * @description When its newest visit of the range occurred
                 */
                last_seen_at: string | null;
                /** @description Visits of each bucket of the range */
                series: number[];
            }[];
            /** @description null at the end */
            next_cursor: string | null;
        };
        /** @description Pages, statuses, addresses and methods are of the newest visits */
        VisitingAgent: {
            /**
             * Format: date-time
             * @description Where counting starts: the quarter of an hour that holds what was asked for
             */
            from: string;
            /**
             * Format: date-time
             * @description Where it ends, exclusive: the next full quarter of an hour
             */
            to: string;
            /** @description The project's IANA time zone, by which hours, days, weeks and months begin */
            time_zone: string;
            /**
             * @description Length of an item of the series: 15m up to 26 hours, 1h up to 8 days, 1d (of 23 to 25 hours) up to 100 days, 1w (from Monday) up to 750 days, else 1mo
             * @enum {string}
             */
            bucket: "15m" | "1h" | "1d" | "1w" | "1mo";
            /**
             * Format: date-time
             * @description Where the range that it is compared with starts
             */
            compared_from: string;
            /**
             * Format: date-time
             * @description Where that ends, exclusive
             */
            compared_to: string;
            /** Format: uuid */
            agent_id: string;
            /** @description null where the agent is no longer in the catalog */
            agent_token: string | null;
            /** @description One of the types, such as Search Engine Crawler */
            agent_type_name: string | null;
            /** @description The company behind it */
            operator_name: string | null;
            /** @description Where its operator describes it */
            agent_url: string | null;
            /** @description Whether the catalog lists a way to verify it */
            is_verifiable: boolean;
            /** @description Visits */
            visits: number;
            /** @description Of the range that it is compared with */
            previous_visits: number;
            /** @description Of an agent that is who it says it is */
            verified: number;
            /** @description Of somebody who is not who they say they are */
            verification_failed: number;
            /**
             * Format: date-time
             * @description When its newest visit of the range occurred
             */
            last_seen_at: string | null;
            series: {
                /**
                 * Format: date-time
                 * @description When it begins; the first may begin before `from`, and counts from there only
                 */
                time: string;
                /** @description Visits */
                visits: number;
                /** @description Of an agent that is who it says it is */
                verified: number;
                /** @description Of somebody who is not who they say they are */
                verification_failed: number;
            }[];
            /** @description Of the range that it is compared with, in the same buckets: the first item stands beside the first. Where clocks change or months differ in length there may be one more or less */
            previous_series: {
                /**
                 * Format: date-time
                 * @description When it begins; the first may begin before `from`, and counts from there only
                 */
                time: string;
                /** @description Visits */
                visits: number;
                /** @description Of an agent that is who it says it is */
                verified: number;
                /** @description Of somebody who is not who they say they are */
                verification_failed: number;
            }[];
            top_pages: components["schemas"]["PageCount"][];
            top_statuses: components["schemas"]["StatusCount"][];
            addresses: {
                /** @description null where none can be believed */
                address: string | null;
                /** @description Whose network the client address is in; null where nothing is known */
                client_network: components["schemas"]["ClientNetwork"] | null;
                /** @description Visits */
                visits: number;
                /** @enum {string} */
                result: "verified" | "verification_failed" | "not_verifiable" | "unknown_agent";
            }[];
            methods: {
                method: string;
                /** @description Visits */
                visits: number;
            }[];
            /** @description More than 5000 visits would count: these are of the newest ones */
            is_sampled: boolean;
        };
        VerificationOverview: {
            /**
             * Format: date-time
             * @description Where counting starts: the quarter of an hour that holds what was asked for
             */
            from: string;
            /**
             * Format: date-time
             * @description Where it ends, exclusive: the next full quarter of an hour
             */
            to: string;
            /** @description The project's IANA time zone, by which hours, days, weeks and months begin */
            time_zone: string;
            /**
             * @description Length of an item of the series: 15m up to 26 hours, 1h up to 8 days, 1d (of 23 to 25 hours) up to 100 days, 1w (from Monday) up to 750 days, else 1mo
             * @enum {string}
             */
            bucket: "15m" | "1h" | "1d" | "1w" | "1mo";
            series: {
                /**
                 * Format: date-time
                 * @description When it begins; the first may begin before `from`, and counts from there only
                 */
                time: string;
                /** @description Of an agent that is who it says it is */
                verified: number;
                /** @description Of somebody who is not who they say they are */
                verification_failed: number;
                /** @description Nothing tells */
                not_verifiable: number;
            }[];
            /** @description By claimed agent and network, most visits first */
            spoofs: {
                /**
                 * Format: uuid
                 * @description Claimed
                 */
                agent_id: string | null;
                /** @description null where the agent is no longer in the catalog */
                agent_token: string | null;
                /** @description One of the types, such as Search Engine Crawler */
                agent_type_name: string | null;
                /** @description The company behind it */
                operator_name: string | null;
                /** @description Where they really came from: one autonomous system, with its most frequent prefix; without a country where they came from several. null where nothing is known */
                client_network: components["schemas"]["ClientNetwork"] | null;
                /** @description Most frequent networks: as ASN_FILE has them, else /24 of IPv4 and /48 of IPv6; none where no address can be believed */
                networks: {
                    prefix: string;
                    /** @description Visits */
                    visits: number;
                }[];
                /** @description Different networks, also those that are not listed */
                network_count: number;
                /** @description Reverse DNS of the newest one's address, where verification asked; its owner chooses the names */
                host_names: string[];
                /** @description Visits */
                visits: number;
                /** @description Most frequent paths, without their queries */
                paths: string[];
                /** @description Of the newest one */
                reason: ("no_method" | "no_client_address" | "address_not_public" | "no_signature" | "no_web_bot_auth_signature" | "signature_headers_incomplete" | "signature_input_unreadable" | "signature_value_unreadable" | "missing_parameters" | "target_not_covered" | "signature_agent_absent" | "signature_agent_unparsable" | "signature_agent_not_covered" | "signature_agent_member_missing" | "signature_agent_ambiguous" | "signature_agent_member_has_parameters" | "signature_agent_not_https" | "signature_agent_not_a_url" | "signature_agent_not_listed" | "missing_component" | "component_unavailable" | "duplicate_component" | "query_unknown" | "expired" | "created_in_future" | "bad_signature" | "algorithm_mismatch" | "algorithm_not_allowed" | "test_key" | "key_expired" | "key_not_yet_valid" | "key_not_in_directory" | "authority_not_expected" | "directory_unreachable" | "directory_bad_status" | "directory_redirected" | "directory_malformed" | "directory_address_refused" | "directory_pending" | "address_not_listed" | "list_too_old" | "visit_too_old" | "no_host_name" | "host_name_not_listed" | "host_name_not_confirmed" | "too_many_host_names" | "dns_timeout" | "dns_error" | "dns_busy" | "dns_off" | "dns_pending" | null) | string;
                /**
                 * Format: date-time
                 * @description When the newest one occurred
                 */
                last_seen_at: string;
            }[];
            /** @description More than 5000 visits would count: these are of the newest ones */
            is_sampled: boolean;
            /** @description Whether ASN_FILE is set: then networks are those of one operator */
            has_network_names: boolean;
        };
        /** @description People whom assistants sent, and what their operators fetched */
        Referrals: {
            /**
             * Format: date-time
             * @description Where counting starts: the quarter of an hour that holds what was asked for
             */
            from: string;
            /**
             * Format: date-time
             * @description Where it ends, exclusive: the next full quarter of an hour
             */
            to: string;
            /** @description The project's IANA time zone, by which hours, days, weeks and months begin */
            time_zone: string;
            /**
             * @description Length of an item of the series: 15m up to 26 hours, 1h up to 8 days, 1d (of 23 to 25 hours) up to 100 days, 1w (from Monday) up to 750 days, else 1mo
             * @enum {string}
             */
            bucket: "15m" | "1h" | "1d" | "1w" | "1mo";
            /**
             * Format: date-time
             * @description Where the range that it is compared with starts
             */
            compared_from: string;
            /**
             * Format: date-time
             * @description Where that ends, exclusive
             */
            compared_to: string;
            /** @description Visits of people whom an assistant sent; at least so many, as many clients do not say it */
            referrals: number;
            /** @description Of the range that it is compared with */
            previous_referrals: number;
            /** @description Visits of all unknown visitors, people and bots that the catalog does not have */
            unknown_visits: number;
            /** @description Of the range that it is compared with */
            previous_unknown_visits: number;
            series: {
                /**
                 * Format: date-time
                 * @description When it begins; the first may begin before `from`, and counts from there only
                 */
                time: string;
                /** @description Visits of people whom an assistant sent */
                visits: number;
                /** @description By its name */
                by_assistant: {
                    [key: string]: number;
                };
            }[];
            /** @description Most visits first */
            assistants: {
                /** @description Its name; empty for all others together */
                assistant: string;
                /** @description The company behind it */
                operator_name: string | null;
                /** @description Visits of people whom it sent */
                visits: number;
                /** @description Of the range that it is compared with */
                previous_visits: number;
            }[];
            /** @description Most visits first; the rest comes last */
            pages: {
                /** @description Without the query; empty for all others together */
                path: string;
                /** @description Visits of people whom an assistant sent there */
                visits: number;
                /** @description Who sent them, most visits first */
                assistants: {
                    assistant: string;
                    /** @description Visits */
                    visits: number;
                }[];
            }[];
            /** @description Companies with an assistant, or with agents for AI that fetched pages. Most pages fetched first */
            operators: {
                operator_name: string;
                /** @description Pages that its agents fetched: GET of HTML, answered below 400, not spoofed */
                pages_fetched: number;
                /** @description Of the range that it is compared with */
                previous_pages_fetched: number;
                /** @description For what, by the types of its agents */
                by_purpose: {
                    /** @description To train models, or for those who sell data for that */
                    training: number;
                    /** @description For an index that answers are found in */
                    search: number;
                    /** @description For somebody who asked an assistant or an agent */
                    user: number;
                    /** @description For anything else, such as previews of links */
                    other: number;
                };
                /** @description Visits of people whom its assistants sent */
                referrals: number;
                /** @description Of the range that it is compared with */
                previous_referrals: number;
                /** @description Its search engine fetched pages, too; the people whom that sends are not counted here */
                is_search_engine: boolean;
            }[];
        };
        Histogram: {
            /** @description Oldest first; the last one is under way */
            minutes: {
                /**
                 * Format: date-time
                 * @description When the minute begins
                 */
                time: string;
                /** @description Visits */
                visits: number;
                /** @description Visits of agents */
                agents: number;
                /** @description Of an agent that is who it says it is */
                verified: number;
                /** @description Of somebody who is not who they say they are */
                verification_failed: number;
            }[];
            /** @description There were too many visits to count: the oldest minutes are too low */
            is_sampled: boolean;
        };
        SeenAgents: {
            /**
             * Format: date-time
             * @description When the first of 30 days (UTC) begins; the last one is the current day
             */
            from: string;
            /** @description All agents of the catalog, those with most visits first, then by token */
            agents: {
                /** Format: uuid */
                agent_id: string;
                agent_token: string;
                /** @description One of the types, such as Search Engine Crawler */
                agent_type_name: string;
                /** @description The company behind it */
                operator_name: string | null;
                /** @description Where its operator describes it */
                agent_url: string | null;
                /** @description What it does with pages, as far as known */
                behaviors: string[];
                /** @description Product token for robots.txt; null if it has none */
                robots_token: string | null;
                /**
                 * @description Came with the release, was accepted from a feed, or was added here
                 * @enum {string}
                 */
                origin: "bundled" | "feed" | "own";
                /** @description It came with the release or from a feed and was changed here */
                is_edited: boolean;
                /**
                 * Format: date-time
                 * @description When it was added, or last changed by a person or a feed
                 */
                changed_at: string;
                /** @description The feed that it came from; null unless it came from one */
                feed_name: string | null;
                /** @description Its feed no longer has it */
                is_gone: boolean;
                /** @description How it can be verified; empty where the catalog lists no way to */
                methods: ("http_message_signature" | "ip_range" | "reverse_dns")[];
                /** @description Visits since `from` in the projects that the credential reaches */
                visits: number;
            }[];
        };
        ToolsReport: {
            /**
             * Format: date-time
             * @description Where counting starts: the quarter of an hour that holds what was asked for
             */
            from: string;
            /**
             * Format: date-time
             * @description Where it ends, exclusive: the next full quarter of an hour
             */
            to: string;
            /** @description The project's IANA time zone, by which hours, days, weeks and months begin */
            time_zone: string;
            /**
             * @description Length of an item of the series: 15m up to 26 hours, 1h up to 8 days, 1d (of 23 to 25 hours) up to 100 days, 1w (from Monday) up to 750 days, else 1mo
             * @enum {string}
             */
            bucket: "15m" | "1h" | "1d" | "1w" | "1mo";
            series: {
                /**
                 * Format: date-time
                 * @description When it begins; the first may begin before `from`, and counts from there only
                 */
                time: string;
                /** @description Calls */
                calls: number;
                /** @description Calls that failed */
                errors: number;
            }[];
            /** @description The most frequent first */
            tools: {
                /** @description Name of the tool, cut after 200 characters; empty where the call had none */
                tool: string;
                /** @description Calls */
                calls: number;
                /** @description Calls that failed */
                errors: number;
                /** @description Different agents; unknown visitors together count as one, and so do spoofed ones */
                callers: number;
                /** @description Different clients that were named, each with its versions */
                clients: number;
                /** @description Duration in milliseconds that half of the timed calls did not exceed, within 10 %; null without any */
                p50_ms: number | null;
                /** @description The same of 95 % of them */
                p95_ms: number | null;
                /** @description Calls whose duration was reported */
                timed_calls: number;
            }[];
            /** @description The most frequent first */
            unknown_tools: {
                /** @description Name of the tool, cut after 200 characters; empty where the call had none */
                tool: string;
                /** @description Calls */
                calls: number;
            }[];
            /** @description The most frequent first */
            errors: {
                /** @description Name of the tool, cut after 200 characters; empty where the call had none */
                tool: string;
                /**
                 * @description `tool`: result.isError. `protocol`: the JSON-RPC error. `http`: the status of the response alone
                 * @enum {string}
                 */
                fault: "tool" | "protocol" | "http";
                /** @description Code of the JSON-RPC error, or the response's status; null for `tool` */
                code: number | null;
                /** @description Calls */
                calls: number;
            }[];
            /** @description The most frequent first */
            callers: {
                /** @description Name of the tool, cut after 200 characters; empty where the call had none */
                tool: string;
                /**
                 * Format: uuid
                 * @description null for visitors of no known agent, and for those that only claim to be one
                 */
                agent_id: string | null;
                /** @description null where the agent is no longer in the catalog */
                agent_token: string | null;
                /** @description One of the types, such as Search Engine Crawler */
                agent_type_name: string | null;
                /** @description The company behind it */
                operator_name: string | null;
                /** @description Claimed to be an agent and was not; of all claimed agents together */
                is_spoofed: boolean;
                /** @description Calls */
                calls: number;
            }[];
            /** @description The most frequent first */
            clients: {
                /** @description As the client calls itself; empty where it was not reported */
                client_name: string;
                /** @description Empty where it was not reported */
                client_version: string;
                /** @description Calls */
                calls: number;
                /** @description Different tools */
                tools: number;
            }[];
            /** @description The most frequent first */
            checkouts: {
                /** @enum {string} */
                protocol: "acp" | "ucp";
                /**
                 * @description As the newest visit has it
                 * @enum {string}
                 */
                state: "incomplete" | "not_ready_for_payment" | "requires_escalation" | "authentication_required" | "pending_approval" | "ready_for_payment" | "ready_for_complete" | "in_progress" | "complete_in_progress" | "completed" | "canceled" | "expired" | "other";
                /** @description ISO 4217, in capitals; null where none was reported */
                currency: string | null;
                /** @description Checkouts that began in the range */
                checkouts: number;
                /** @description What they come to together, in minor units; null where no total or no currency was reported */
                total: number | null;
                /** @description Decimal digits of the minor units (ISO 4217): 2 where 1250 is 12.50 */
                minor_digits: number;
            }[];
            /** @description The most frequent first */
            buyers: {
                /** @enum {string} */
                protocol: "acp" | "ucp";
                /**
                 * Format: uuid
                 * @description null for visitors of no known agent, and for those that only claim to be one
                 */
                agent_id: string | null;
                /** @description null where the agent is no longer in the catalog */
                agent_token: string | null;
                /** @description One of the types, such as Search Engine Crawler */
                agent_type_name: string | null;
                /** @description The company behind it */
                operator_name: string | null;
                /** @description Claimed to be an agent and was not; of all claimed agents together */
                is_spoofed: boolean;
                /** @description Checkouts that began in the range */
                checkouts: number;
                /** @description Those that are completed */
                completed: number;
            }[];
        };
        ComplianceAgent: {
            /** Format: uuid */
            agent_id: string;
            /** @description null where the agent is no longer in the catalog */
            agent_token: string | null;
            /** @description One of the types, such as Search Engine Crawler */
            agent_type_name: string | null;
            /** @description The company behind it */
            operator_name: string | null;
            /** @description It fetches on behalf of people, by its type; its operator says that robots.txt does not bind it */
            is_user_triggered: boolean;
            /** @description Visits that robots.txt allowed */
            allowed: number;
            /** @description Visits that it disallowed */
            disallowed: number;
            /** @description Visits while the site had no robots.txt (4xx), which allows everything */
            no_rules: number;
            /** @description Visits while robots.txt answered with an error (5xx), which disallows everything by RFC 9309 */
            unreachable: number;
            /** @description Visits while no version was known */
            unknown: number;
            /** @description Disallowed visits of which it was proved that they were its own */
            disallowed_verified: number;
            /** @description Disallowed visits that were answered below 400: nothing held them off */
            disallowed_served: number;
            /** @description Disallowed visits that were answered 403: something enforces the rules */
            disallowed_forbidden: number;
            /** @description Visits that robots.txt allowed and that were answered 403: the two contradict each other */
            allowed_forbidden: number;
            /** @description Visits of others in its name; not in any other number */
            spoofed: number;
            /** @description Of these, the disallowed ones */
            spoofed_disallowed: number;
            /**
             * Format: date-time
             * @description The first disallowed visit; to the quarter of an hour, or the day (UTC), where `is_sampled`
             */
            first_disallowed_at: string | null;
            /**
             * Format: date-time
             * @description The last disallowed visit; as precise as the first
             */
            last_disallowed_at: string | null;
            /**
             * Format: date-time
             * @description Its last fetch of /robots.txt in the range or the day before: to the quarter of an hour, or, where there are many, the day (UTC); null for none
             */
            last_robots_fetch_at: string | null;
            /** @description Of the newest 2000 disallowed visits, and the newest 4000 fetches by agent and quarter of an hour */
            read_before: {
                /** @description Disallowed visits less than 24 hours after it fetched /robots.txt */
                visits: number;
                /** @description Disallowed visits that were looked at */
                of: number;
            };
        };
        /** @description Judged by the robots.txt that was in force at the time of each visit */
        Compliance: {
            /**
             * Format: date-time
             * @description Where counting starts: the quarter of an hour that holds what was asked for
             */
            from: string;
            /**
             * Format: date-time
             * @description Where it ends, exclusive: the next full quarter of an hour
             */
            to: string;
            /** @description Of agents that robots.txt is meant for, unless a number says otherwise */
            totals: {
                /** @description Visits that robots.txt allowed */
                allowed: number;
                /** @description Visits that it disallowed */
                disallowed: number;
                /** @description Visits while the site had no robots.txt (4xx), which allows everything */
                no_rules: number;
                /** @description Visits while robots.txt answered with an error (5xx), which disallows everything by RFC 9309 */
                unreachable: number;
                /** @description Visits while no version was known */
                unknown: number;
                /** @description Agents with a disallowed visit */
                disallowing_agents: number;
                /** @description Disallowed visits that were answered below 400 */
                disallowed_served: number;
                /** @description Disallowed visits that were answered 403 */
                disallowed_forbidden: number;
                /** @description Visits that robots.txt allowed and that were answered 403 */
                allowed_forbidden: number;
                /** @description Visits of agents that fetch on behalf of people; not in any other number */
                user_triggered: number;
                /** @description Of these, the disallowed ones */
                user_triggered_disallowed: number;
                /** @description Visits that failed verification; not in any other number */
                spoofed: number;
                /** @description Of these, the disallowed ones */
                spoofed_disallowed: number;
                /** @description Visits beyond the bounds of the counts, whose agents are not known */
                other: number;
            };
            /** @description Most disallowed visits first */
            agents: components["schemas"]["ComplianceAgent"][];
            /** @description Most fetches first */
            files: {
                /** Format: uuid */
                agent_id: string;
                /** @description null where the agent is no longer in the catalog */
                agent_token: string | null;
                /** @description One of the types, such as Search Engine Crawler */
                agent_type_name: string | null;
                /** @description The company behind it */
                operator_name: string | null;
                /** @description It fetches on behalf of people, by its type; its operator says that robots.txt does not bind it */
                is_user_triggered: boolean;
                /** @description /robots.txt, /llms.txt, /llms-full.txt, or one in /.well-known/ */
                path: string;
                /** @description Fetches */
                visits: number;
                /** @description Fetches that were answered below 400 */
                served: number;
                /** @description Fetches that were answered 400 or above */
                failed: number;
            }[];
            /** @description Most visits first */
            paid_crawl: {
                /** Format: uuid */
                agent_id: string;
                /** @description null where the agent is no longer in the catalog */
                agent_token: string | null;
                /** @description One of the types, such as Search Engine Crawler */
                agent_type_name: string | null;
                /** @description The company behind it */
                operator_name: string | null;
                /** @description It fetches on behalf of people, by its type; its operator says that robots.txt does not bind it */
                is_user_triggered: boolean;
                /**
                 * @description `charged`: `crawler-charged` says for how much. `refused`: `crawler-error` says why. `payment_required`: answered 402. `offered`: the agent offered to pay, and the answer says nothing of it
                 * @enum {string}
                 */
                outcome: "charged" | "refused" | "payment_required" | "offered";
                /** @description The price, or the error; empty where the answer has none */
                detail: string;
                /** @description Visits */
                visits: number;
            }[];
            /** @description There were more than 2000 disallowed visits: times and `read_before` are of the newest */
            is_sampled: boolean;
        };
        /** @description Without visits that failed verification */
        Disregarded: {
            /** @description Most visits first */
            lines: {
                /**
                 * Format: uuid
                 * @description The version of robots.txt that was in force
                 */
                version: string;
                /** @description Number of the line that disallowed */
                line: number;
                /** @description The first 2000 characters of the line; null where the version is gone */
                text: string | null;
                /** @description Visits that it disallowed */
                visits: number;
            }[];
            /** @description Most visits first */
            paths: {
                /** @description Without the query */
                path: string;
                /** @description Disallowed visits */
                visits: number;
            }[];
        };
        RefusedRequest: {
            id: string;
            /**
             * Format: date-time
             * @description The last time
             */
            refused_at: string;
            /** @description Equal ones within a second are counted together */
            times: number;
            method: string;
            /** @example /visits */
            path: string;
            status: number;
            /**
             * @description Kind of the problem, as in its `type`
             * @example invalid-body
             */
            code: string;
            title: string;
            /** @description What is wrong; of several faults the first */
            detail: string;
            /** @description JSON Pointer to the field at fault */
            pointer: string | null;
            /** @description The access token it was sent with, where that is known */
            token_name: string | null;
            client_address: string;
        };
        /** @description A request of the test agent to the site, and what came of it */
        SiteTestVisit: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            project_id: string;
            /** Format: date-time */
            started_at: string;
            /** Format: date-time */
            finished_at: string | null;
            /**
             * @description `waiting`: the site has answered, its report is waited for
             * @enum {string}
             */
            stage: "requesting" | "waiting" | "finished";
            /** @description What was requested last */
            url: string | null;
            /** @enum {string|null} */
            outcome: "arrived" | "no_site_address" | "name_not_resolved" | "address_refused" | "connection_refused" | "tls_failed" | "timed_out" | "unreachable" | "redirected_away" | "too_many_redirects" | "not_reported" | "report_refused" | "reported_elsewhere" | "interrupted" | null;
            /** @description What came of it, for people */
            message: string | null;
            /** @description What to do about it */
            next_steps: string[];
            /** @description What the site answered */
            answer: {
                status: number;
                milliseconds: number;
            } | null;
            /** @description The visit that the site reported */
            report: {
                /** Format: uuid */
                visit_id: string;
                /** @description From the request to the stored visit */
                milliseconds: number;
                /** @enum {string} */
                result: "verified" | "verification_failed" | "not_verifiable" | "unknown_agent";
                /** @description Why it is not verified */
                reason: ("no_method" | "no_client_address" | "address_not_public" | "no_signature" | "no_web_bot_auth_signature" | "signature_headers_incomplete" | "signature_input_unreadable" | "signature_value_unreadable" | "missing_parameters" | "target_not_covered" | "signature_agent_absent" | "signature_agent_unparsable" | "signature_agent_not_covered" | "signature_agent_member_missing" | "signature_agent_ambiguous" | "signature_agent_member_has_parameters" | "signature_agent_not_https" | "signature_agent_not_a_url" | "signature_agent_not_listed" | "missing_component" | "component_unavailable" | "duplicate_component" | "query_unknown" | "expired" | "created_in_future" | "bad_signature" | "algorithm_mismatch" | "algorithm_not_allowed" | "test_key" | "key_expired" | "key_not_yet_valid" | "key_not_in_directory" | "authority_not_expected" | "directory_unreachable" | "directory_bad_status" | "directory_redirected" | "directory_malformed" | "directory_address_refused" | "directory_pending" | "address_not_listed" | "list_too_old" | "visit_too_old" | "no_host_name" | "host_name_not_listed" | "host_name_not_confirmed" | "too_many_host_names" | "dns_timeout" | "dns_error" | "dns_busy" | "dns_off" | "dns_pending" | null) | string;
            } | null;
            refused_request: components["schemas"]["RefusedRequest"] | null;
        };
        NewSiteTestVisit: {
            /** @description A page of the site; absent: the project's site address */
            path?: string;
        };
        SampleVisit: {
            /**
             * Format: uuid
             * @description Of the visit, which shows a moment later
             */
            visit_id: string;
        };
        NewSampleVisit: Record<string, never>;
        RefusedRequestList: {
            /** @description Newest first */
            refused_requests: components["schemas"]["RefusedRequest"][];
        };
        VisitorPath: {
            /** @description Whether the project says how visitors reach its site */
            is_stated: boolean;
            /** @description Number of visits that were looked at */
            visits: number;
            /** @description Those of agents whose address came from a header that anyone can send */
            unconfirmed_visits: number;
            /** @description Operators of every known proxy network, for `networks` of `trusted_proxies` */
            networks: string[];
            /** @description The setting that fits nearly all visits; null if none does, or if it is the current one */
            proposal: {
                trusted_proxies: components["schemas"]["TrustedProxies"];
                /** @description Number of visits that took this path */
                visits: number;
            } | null;
        };
        /** @description A source that sent something */
        Drain: {
            /**
             * @description Who sends
             * @enum {string}
             */
            source: "cloudflare-logpush" | "vercel" | "netlify" | "fastly" | "akamai" | "aws-firehose" | "vector" | "fluent-bit" | "opentelemetry" | "json";
            /** Format: date-time */
            first_batch_at: string;
            /** Format: date-time */
            last_batch_at: string;
            last_batch: {
                /** @description All of them; blank ones aside */
                lines: number;
                /** @description Recorded, now or when they came before */
                visits: number;
                /** @description Left out as requests for static files */
                static_files: number;
                /** @description Left out as no visitor's requests, as the source says */
                left_out: number;
                /** @description Not of a format that is known */
                unreadable: number;
                /** @description Whether it was how the sender tries the connection, and no log */
                is_test: boolean;
            };
            /** @description Since the first batch. A batch that comes twice counts here twice */
            totals: {
                batches: number;
                /** @description All of them; blank ones aside */
                lines: number;
                /** @description Recorded, now or when they came before */
                visits: number;
                /** @description Left out as requests for static files */
                static_files: number;
                /** @description Left out as no visitor's requests, as the source says */
                left_out: number;
                /** @description Not of a format that is known */
                unreadable: number;
            };
            /** @description The last 10 that could not be read, newest first */
            unreadable_lines: {
                /** Format: date-time */
                received_at: string;
                /** @description Why it could not be read, for people */
                reason: string;
                /** @description Its beginning, without credentials */
                text: string;
            }[];
        };
        DrainList: {
            drains: components["schemas"]["Drain"][];
        };
        /**
         * @description Keys of your objects for the fields of a request. A dot leads into an object: `request.uri`
         * @example {
         *       "time": "ts",
         *       "client": "ip",
         *       "method": "verb",
         *       "path": "request.uri",
         *       "status": "code",
         *       "user_agent": "ua"
         *     }
         */
        DrainMapping: {
            /**
             * Format: single-line
             * @description When it was: ISO 8601, or seconds, milliseconds, microseconds or nanoseconds since 1970
             */
            time: string;
            /**
             * Format: single-line
             * @description Address of the connection's peer
             */
            client: string;
            /**
             * Format: single-line
             * @description HTTP method; GET where it is absent
             */
            method?: string;
            /**
             * Format: single-line
             * @description Path, with or without the query, or the whole URL
             */
            path: string;
            /**
             * Format: single-line
             * @description Query, where it is apart from the path
             */
            query?: string;
            /**
             * Format: single-line
             * @description HTTP status code
             */
            status?: string;
            /**
             * Format: single-line
             * @description Bytes of the response body
             */
            size?: string;
            /**
             * Format: single-line
             * @description Time that the answer took, in `duration_unit`
             */
            duration?: string;
            /**
             * Format: single-line
             * @description Host name of the site
             */
            host?: string;
            /**
             * Format: single-line
             * @description User-Agent
             */
            user_agent?: string;
            /**
             * Format: single-line
             * @description Referer
             */
            referer?: string;
            /**
             * Format: single-line
             * @description X-Forwarded-For, as it was received
             */
            forwarded_for?: string;
            /**
             * Format: single-line
             * @description Object with all headers of the request
             */
            headers?: string;
            /**
             * Format: single-line
             * @description What your log calls this request: lines with the same id count once
             */
            id?: string;
            /**
             * @description Milliseconds when absent
             * @enum {string}
             */
            duration_unit?: "s" | "ms" | "us" | "ns";
        };
        DrainSettings: {
            /** @description Whether drains may show their access token as `?token=`, for senders that can do nothing else. Proxies in front of this instance may log it */
            allows_token_in_url: boolean;
            /** @description Whether drains leave out requests for images, fonts, style sheets, scripts and media. robots.txt, llms.txt, sitemaps, feeds and what is below /.well-known/ are always recorded */
            leaves_out_static_files: boolean;
            /** @description For the source `json`; null: its lines must be of a known format */
            mapping: components["schemas"]["DrainMapping"] | null;
            /** @description What the header `x-vercel-verify` of every answer to `vercel` holds; Vercel shows it */
            vercel_verify: string | null;
            /** @description Fastly services that may log to this instance: it answers their challenge */
            fastly_service_ids: string[];
            /** @description Whether bodies of `vercel` must be signed, beside the token */
            has_vercel_secret: boolean;
        };
        DrainSettingsChange: {
            /** @description Whether drains may show their access token as `?token=`, for senders that can do nothing else. Proxies in front of this instance may log it */
            allows_token_in_url?: boolean;
            /** @description Whether drains leave out requests for images, fonts, style sheets, scripts and media. robots.txt, llms.txt, sitemaps, feeds and what is below /.well-known/ are always recorded */
            leaves_out_static_files?: boolean;
            /** @description For the source `json`; null: its lines must be of a known format */
            mapping?: components["schemas"]["DrainMapping"] | null;
            /** @description What the header `x-vercel-verify` of every answer to `vercel` holds; Vercel shows it */
            vercel_verify?: string | null;
            /** @description Fastly services that may log to this instance: it answers their challenge */
            fastly_service_ids?: string[];
            /** @description What Vercel signs with, as it shows it. It is never shown again; null: bodies are not signed */
            vercel_secret?: string | null;
        };
        /** @description Made-up visits of a shop, in a project of their own */
        Demo: {
            /**
             * @description `failed`: only some of the visits were loaded. Remove the project, and load them again
             * @enum {string}
             */
            state: "absent" | "loading" | "loaded" | "failed";
            /**
             * Format: uuid
             * @description Their project
             */
            project_id: string | null;
            /** @description Visits loaded so far */
            visits: number;
            /** @description Share of the days that are loaded */
            done: number;
        };
        NewDemo: {
            /** @description How many days, until now; 30 unless given */
            days?: number;
            /** @description Another number makes other visits; 1 unless given */
            seed?: number;
            /**
             * Format: single-line
             * @description IANA time zone of the project
             * @example Europe/Berlin
             */
            time_zone?: string;
        };
        User: {
            /** Format: uuid */
            id: string;
            /** @description Upper and lower case are the same */
            email: string;
            /** Format: single-line */
            name: string;
            /** @description May do everything on the instance */
            is_admin: boolean;
        };
        Session: {
            /** @description null: nobody is signed in */
            user: components["schemas"]["User"] | null;
            /** @description The person who is signed in has to set up a second factor, and can do nothing else until then */
            second_factor_due: boolean;
            /** @description There is no administrator yet: the setup code makes the first */
            setup_required: boolean;
            /** @description The OpenID provider to sign in with, where there is one */
            oidc: {
                name: string;
            } | null;
        };
        SignInAnswer: {
            /** @description Who is signed in now; null: nobody yet */
            user: components["schemas"]["User"] | null;
            /** @description Send a code of the second factor to `POST /api/session/second-factor` to finish */
            second_factor_required: boolean;
        };
        SignIn: {
            email: string;
            password: string;
        };
        Confirmation: {
            password: string;
            /** @description Required where the account has a second factor */
            code?: string;
        };
        PasswordChange: {
            current_password: string;
            new_password: string;
        };
        SignedIn: {
            user: components["schemas"]["User"];
        };
        Setup: {
            /** @description The setup code, as the start printed it */
            code: string;
            /** @description Upper and lower case are the same */
            email: string;
            /** Format: single-line */
            name: string;
            password: string;
        };
        SetupCode: {
            code: string;
            /** Format: date-time */
            expires_at: string;
        };
        NewSetupCode: Record<string, never>;
        Member: {
            /** Format: uuid */
            user_id: string;
            /** @description Upper and lower case are the same */
            email: string;
            /** Format: single-line */
            name: string;
            role: components["schemas"]["ProjectRole"];
            /** @description Open invitations to the project that they made, and that end when they are an owner no longer */
            invitations: number;
        };
        Invitation: {
            /** Format: uuid */
            id: string;
            role: components["schemas"]["ProjectRole"];
            /** Format: date-time */
            created_at: string;
            /** @description Email address of the person who created it, or who created the API key that did; null if unknown */
            created_by: string | null;
            /** Format: date-time */
            expires_at: string;
        };
        MemberList: {
            members: components["schemas"]["Member"][];
            /** @description Those that can still be accepted */
            invitations: components["schemas"]["Invitation"][];
        };
        RoleChange: {
            role: components["schemas"]["ProjectRole"];
        };
        RevealedInvitation: {
            /** Format: uuid */
            id: string;
            role: components["schemas"]["ProjectRole"];
            /**
             * Format: uri
             * @description Opens once; shown this once
             */
            url: string;
            /** Format: date-time */
            expires_at: string;
        };
        OpenInvitation: {
            project_name: string;
            role: components["schemas"]["ProjectRole"];
            /** Format: date-time */
            expires_at: string;
        };
        Accepted: {
            user: components["schemas"]["User"];
            /** Format: uuid */
            project_id: string;
        };
        Acceptance: {
            /** Format: single-line */
            name?: string;
            /** @description Upper and lower case are the same */
            email?: string;
            password?: string;
        };
        OwnSecondFactor: {
            /** Format: date-time */
            since: string;
            /** @description Of 10; each works once */
            recovery_codes_left: number;
        };
        Passkey: {
            /** Format: uuid */
            id: string;
            /** Format: single-line */
            name: string;
            /** @description Where it works */
            host: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            last_used_at: string | null;
        };
        OwnSession: {
            /** Format: uuid */
            id: string;
            /** @description The session of this request */
            is_current: boolean;
            /** @description Client address that it was opened from */
            address: string | null;
            /** @description User-Agent that it was opened with */
            user_agent: string | null;
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @description When it was last made or renewed, to the day
             */
            last_seen_at: string;
        };
        OwnAccount: {
            user: components["schemas"]["User"];
            /** @description Whether changes take `current_password` */
            has_password: boolean;
            /** @description Name of the OpenID provider that the account signs in with, which sets its e-mail address; or null */
            provider: string | null;
            /** @description What signing in takes beside the password; null: nothing */
            second_factor: components["schemas"]["OwnSecondFactor"] | null;
            /** @description What it can sign in with instead; the oldest first */
            passkeys: components["schemas"]["Passkey"][];
            /** @description The last seen first */
            sessions: components["schemas"]["OwnSession"][];
        };
        OwnAccountChange: {
            /** Format: single-line */
            name?: string;
            /** @description Upper and lower case are the same */
            email?: string;
            /** @description Required where the account has a password */
            current_password?: string;
        };
        SecondFactorCode: {
            code: string;
        };
        NewSecondFactor: {
            /** @description For an authenticator app, in base32; shown once */
            secret: string;
            /** @description The same as an `otpauth` address, which apps read from a QR code */
            url: string;
        };
        RecoveryCodes: {
            /** @description Each stands in for the app once; shown once */
            recovery_codes: string[];
        };
        PasskeyOptions: {
            options: {
                [key: string]: unknown;
            };
        };
        PasskeySignIn: {
            credential: {
                id: string;
                rawId: string;
                /** @constant */
                type: "public-key";
                response: {
                    clientDataJSON: string;
                    authenticatorData: string;
                    signature: string;
                    userHandle?: string;
                };
            };
        };
        NewPasskey: {
            /** Format: single-line */
            name: string;
            credential: {
                id: string;
                rawId: string;
                /** @constant */
                type: "public-key";
                response: {
                    clientDataJSON: string;
                    attestationObject: string;
                };
            };
        };
        PasskeyName: {
            /** Format: single-line */
            name: string;
        };
        ReportSettings: {
            /** @description Whether the instance has a mail server (`SMTP_HOST`) */
            can_send_mail: boolean;
            /** @description The projects of which you get a weekly report by e-mail */
            project_ids: string[];
        };
        ReportSettingsChange: {
            /** @description All projects of which you want it, also those of which you get it already */
            project_ids: string[];
        };
        SavedFilter: {
            /** Format: uuid */
            id: string;
            /** Format: single-line */
            name: string;
            /**
             * @description Page of the dashboard that they were saved on
             * @enum {string}
             */
            page: "overview" | "visits" | "realtime" | "agents";
            /**
             * Format: single-line
             * @description The filters as in the address of the page, without the `?`
             * @example agent=GPTBot&status=4xx
             */
            search: string;
            /** Format: date-time */
            created_at: string;
            /** @description Name of the person who saved them; null for a program, or an account that is gone */
            created_by: string | null;
        };
        SavedFilterList: {
            /** @description By name, 100 at most */
            saved_filters: components["schemas"]["SavedFilter"][];
        };
        NewSavedFilter: {
            /** Format: single-line */
            name: string;
            /**
             * @description Page of the dashboard that they were saved on
             * @enum {string}
             */
            page: "overview" | "visits" | "realtime" | "agents";
            /**
             * Format: single-line
             * @description The filters as in the address of the page, without the `?`
             * @example agent=GPTBot&status=4xx
             */
            search: string;
        };
        SavedFilterChange: {
            /** Format: single-line */
            name: string;
        };
        SharedLink: {
            /** Format: uuid */
            id: string;
            /** Format: single-line */
            name: string;
            has_password: boolean;
            /** Format: date-time */
            created_at: string;
            /** @description Email address of the person who created it, or who created the API key that did; null if unknown */
            created_by: string | null;
            /**
             * Format: date-time
             * @description When it stops working; null: never
             */
            expires_at: string | null;
            /**
             * Format: date-time
             * @description To the minute; the badge does not count. null: never
             */
            last_opened_at: string | null;
        };
        SharedLinkList: {
            /** @description The newest first, 50 at most */
            shared_links: components["schemas"]["SharedLink"][];
        };
        RevealedSharedLink: {
            /** Format: uuid */
            id: string;
            /** Format: single-line */
            name: string;
            has_password: boolean;
            /** Format: date-time */
            created_at: string;
            /** @description Email address of the person who created it, or who created the API key that did; null if unknown */
            created_by: string | null;
            /**
             * Format: date-time
             * @description When it stops working; null: never
             */
            expires_at: string | null;
            /**
             * Format: date-time
             * @description To the minute; the badge does not count. null: never
             */
            last_opened_at: string | null;
            /** @description Address of the page, with its secret; not stored, and shown this once */
            url: string;
            /** @description Address of the badge. It does not reveal the link. A link with a password has no badge. */
            badge_url: string;
        };
        NewSharedLink: {
            /** Format: single-line */
            name: string;
            password?: string;
            /** @description Without, it never ends */
            expires_in_days?: number;
        };
        SharedPass: {
            /** @description For the header x-shared-pass */
            pass: string;
            /** Format: date-time */
            expires_at: string;
        };
        SharedPassword: {
            password: string;
        };
        SharedOverview: {
            /** Format: single-line */
            project_name: string;
            overview: components["schemas"]["Overview"];
        };
        ChartNote: {
            /** Format: uuid */
            id: string;
            /**
             * Format: date
             * @description Day in the project's time zone, from 1900 to 2099
             * @example 2026-11-21
             */
            day: string;
            /**
             * Format: single-line
             * @example New robots.txt on the shop
             */
            text: string;
            /** Format: date-time */
            created_at: string;
            /** @description Name of the person who wrote it; null for a program, or an account that is gone */
            created_by: string | null;
        };
        /** @description What a chart over a range of time is annotated with */
        ChartNotes: {
            /** @description By day, 1000 at most */
            notes: components["schemas"]["ChartNote"][];
            /** @description Versions of the rules for robots.txt and servers that were saved, by time */
            rules_versions: {
                /** Format: uuid */
                id: string;
                /** Format: date-time */
                saved_at: string;
                /** @description Name of the person who saved them; null for a program, or an account that is gone */
                saved_by: string | null;
            }[];
            /** @description Updates of the catalog that came with a release, by time */
            catalog_updates: {
                version: string;
                /** Format: date-time */
                updated_at: string;
                /** @description Agents that came with it */
                added: number;
                /** @description Agents that it changed */
                changed: number;
                /** @description Agents that it removed */
                removed: number;
            }[];
        };
        NewChartNote: {
            /**
             * Format: date
             * @description Day in the project's time zone, from 1900 to 2099
             * @example 2026-11-21
             */
            day: string;
            /**
             * Format: single-line
             * @example New robots.txt on the shop
             */
            text: string;
        };
        ChartNoteChange: {
            /**
             * Format: date
             * @description Day in the project's time zone, from 1900 to 2099
             * @example 2026-11-21
             */
            day?: string;
            /**
             * Format: single-line
             * @example New robots.txt on the shop
             */
            text?: string;
        };
        Alert: {
            /** Format: uuid */
            id: string;
            /**
             * @description What it tells
             * @enum {string}
             */
            kind: "new_agent" | "spike" | "drop" | "spoofing" | "verified_share" | "errors" | "blocked" | "disallowed" | "robots_missing" | "no_visits" | "tool_errors" | "referral_spike";
            /**
             * Format: uuid
             * @description Of this agent alone
             */
            agent_id: string | null;
            /**
             * @description Of agents of this type alone
             * @enum {string|null}
             */
            agent_type: "AI Agent" | "AI Assistant" | "AI Coding Agent" | "AI Data Provider" | "AI Data Scraper" | "AI Search Crawler" | "Archiver" | "Developer Helper" | "Fetcher" | "Automated Agent" | "Intelligence Gatherer" | "Scraper" | "SEO Crawler" | "Search Engine Crawler" | "Security Scanner" | "Undocumented AI Agent" | "Uncategorized" | null;
            /** @description Of this operator's agents alone */
            operator: string | null;
            /** @description What its condition compares with; the kind says of what */
            threshold: number;
            /** @description With less it never fires */
            minimum: number;
            /**
             * @description Minutes that are looked at: whole quarters of an hour
             * @enum {integer}
             */
            window_minutes: 15 | 30 | 60 | 120 | 360 | 720 | 1440;
            /** @description It fires again for the same agent or host after this time at the earliest */
            cooldown_minutes: number;
            /** @description It recovers once its condition has not been met for this time */
            recovery_minutes: number;
            /** @description The channels of the project that it goes to; null: all */
            channel_ids: string[] | null;
            is_enabled: boolean;
            /**
             * Format: date-time
             * @description Until then nothing new is sent; it is in the history all the same
             */
            muted_until: string | null;
            /** @description Token of the agent that it is about */
            agent_token: string | null;
            /** @enum {string} */
            state: "ok" | "firing" | "off";
            /** Format: date-time */
            last_fired_at: string | null;
            /** @description How often it fired on each of the last 30 days (UTC), the oldest first */
            daily_events: number[];
        };
        AlertKind: {
            /**
             * @description What it tells
             * @enum {string}
             */
            kind: "new_agent" | "spike" | "drop" | "spoofing" | "verified_share" | "errors" | "blocked" | "disallowed" | "robots_missing" | "no_visits" | "tool_errors" | "referral_spike";
            label: string;
            sentence: string;
            /** @description How the threshold is meant */
            test: string;
            /** @description Whether it can be about an agent, a type or an operator alone */
            is_scoped: boolean;
            /** @description Of what `minimum` is the least; null: of nothing */
            minimum_of: string | null;
            defaults: {
                threshold: number;
                minimum: number;
                window_minutes: number;
                cooldown_minutes: number;
                recovery_minutes: number;
            };
        };
        AlertList: {
            alerts: components["schemas"]["Alert"][];
            kinds: components["schemas"]["AlertKind"][];
            /**
             * Format: date-time
             * @description How far visits were looked at
             */
            evaluated_until: string | null;
        };
        NewAlert: {
            /**
             * @description What it tells
             * @enum {string}
             */
            kind: "new_agent" | "spike" | "drop" | "spoofing" | "verified_share" | "errors" | "blocked" | "disallowed" | "robots_missing" | "no_visits" | "tool_errors" | "referral_spike";
            /**
             * Format: uuid
             * @description Of this agent alone
             */
            agent_id?: string | null;
            /**
             * @description Of agents of this type alone
             * @enum {string|null}
             */
            agent_type?: "AI Agent" | "AI Assistant" | "AI Coding Agent" | "AI Data Provider" | "AI Data Scraper" | "AI Search Crawler" | "Archiver" | "Developer Helper" | "Fetcher" | "Automated Agent" | "Intelligence Gatherer" | "Scraper" | "SEO Crawler" | "Search Engine Crawler" | "Security Scanner" | "Undocumented AI Agent" | "Uncategorized" | null;
            /** @description Of this operator's agents alone */
            operator?: string | null;
            /** @description What its condition compares with; the kind says of what */
            threshold?: number;
            /** @description With less it never fires */
            minimum?: number;
            /**
             * @description Minutes that are looked at: whole quarters of an hour
             * @enum {integer}
             */
            window_minutes?: 15 | 30 | 60 | 120 | 360 | 720 | 1440;
            /** @description It fires again for the same agent or host after this time at the earliest */
            cooldown_minutes?: number;
            /** @description It recovers once its condition has not been met for this time */
            recovery_minutes?: number;
            /** @description The channels of the project that it goes to; null: all */
            channel_ids?: string[] | null;
            is_enabled?: boolean;
            /**
             * Format: date-time
             * @description Until then nothing new is sent; it is in the history all the same
             */
            muted_until?: string | null;
        };
        AlertChange: {
            /**
             * Format: uuid
             * @description Of this agent alone
             */
            agent_id?: string | null;
            /**
             * @description Of agents of this type alone
             * @enum {string|null}
             */
            agent_type?: "AI Agent" | "AI Assistant" | "AI Coding Agent" | "AI Data Provider" | "AI Data Scraper" | "AI Search Crawler" | "Archiver" | "Developer Helper" | "Fetcher" | "Automated Agent" | "Intelligence Gatherer" | "Scraper" | "SEO Crawler" | "Search Engine Crawler" | "Security Scanner" | "Undocumented AI Agent" | "Uncategorized" | null;
            /** @description Of this operator's agents alone */
            operator?: string | null;
            /** @description What its condition compares with; the kind says of what */
            threshold?: number;
            /** @description With less it never fires */
            minimum?: number;
            /**
             * @description Minutes that are looked at: whole quarters of an hour
             * @enum {integer}
             */
            window_minutes?: 15 | 30 | 60 | 120 | 360 | 720 | 1440;
            /** @description It fires again for the same agent or host after this time at the earliest */
            cooldown_minutes?: number;
            /** @description It recovers once its condition has not been met for this time */
            recovery_minutes?: number;
            /** @description The channels of the project that it goes to; null: all */
            channel_ids?: string[] | null;
            is_enabled?: boolean;
            /**
             * Format: date-time
             * @description Until then nothing new is sent; it is in the history all the same
             */
            muted_until?: string | null;
        };
        AlertPreview: {
            /** Format: date-time */
            from: string;
            /** Format: date-time */
            to: string;
            /** @description How it would have fired, newest first */
            events: {
                /** @description Id of the agent, or the host; null where it is about all */
                subject: string | null;
                /** @description Token of the agent, or the host */
                subject_name: string | null;
                /** Format: date-time */
                fired_at: string;
                /**
                 * Format: date-time
                 * @description Null while it lasts
                 */
                recovered_at: string | null;
                /** @description What was counted when it fired */
                value: number;
                /** @description What is usual by the baseline */
                usual: number | null;
                /** @description What happened, for people */
                text: string;
            }[];
        };
        AlertEvent: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            alert_id: string;
            /** @description What it tells */
            kind: ("new_agent" | "spike" | "drop" | "spoofing" | "verified_share" | "errors" | "blocked" | "disallowed" | "robots_missing" | "no_visits" | "tool_errors" | "referral_spike") | string;
            /** @description Id of the agent, or the host; null where it is about all */
            subject: string | null;
            /** @description Token of the agent, or the host */
            subject_name: string | null;
            /** Format: date-time */
            fired_at: string;
            /**
             * Format: date-time
             * @description Null while it lasts
             */
            recovered_at: string | null;
            /** @description What was counted when it fired */
            value: number;
            /** @description What is usual by the baseline */
            usual: number | null;
            /** @description What happened, for people */
            text: string;
        };
        AlertEventList: {
            /** @description Newest first, 200 at most */
            events: components["schemas"]["AlertEvent"][];
        };
        AlertChannel: {
            /** Format: uuid */
            id: string;
            /**
             * @description `webhook` is sent as Standard Webhooks 1.0 says; `slack` also suits Mattermost and others that take its messages
             * @enum {string}
             */
            kind: "email" | "webhook" | "slack" | "discord";
            name: string;
            /** @description Where it is sent to, without what is secret */
            target: string;
            /** @description Recipients that have not confirmed, or that stopped: they get no mail */
            pending_addresses: string[];
            is_enabled: boolean;
            /** @description Why it was turned off by itself */
            disabled_reason: string | null;
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @description Until then webhooks are also signed with the previous secret
             */
            former_secret_until: string | null;
        };
        AlertChannelList: {
            /** @description The oldest first */
            channels: components["schemas"]["AlertChannel"][];
            /** @description Whether this instance has a mail server */
            can_send_mail: boolean;
        };
        NewAlertChannel: {
            /**
             * @description `webhook` is sent as Standard Webhooks 1.0 says; `slack` also suits Mattermost and others that take its messages
             * @enum {string}
             */
            kind: "email" | "webhook" | "slack" | "discord";
            /** Format: single-line */
            name: string;
            /** @description Where it is sent to: not for `email`. It is a secret for Slack and Discord, and never shown again */
            url?: string;
            /** @description Who gets mail: for `email` alone */
            addresses?: string[];
        };
        AlertChannelChange: {
            /** Format: single-line */
            name?: string;
            /** @description Where it is sent to: not for `email`. It is a secret for Slack and Discord, and never shown again */
            url?: string;
            /** @description Who gets mail: for `email` alone */
            addresses?: string[];
            is_enabled?: boolean;
        };
        AlertDelivery: {
            /**
             * Format: uuid
             * @description Of webhooks, `webhook-id`: the same in each attempt
             */
            id: string;
            /** Format: uuid */
            channel_id: string;
            /** @description What it tells: `alert.fired`, `alert.recovered`, `alert.test` or `channel.disabled` */
            type: string;
            title: string;
            /** @enum {string} */
            state: "waiting" | "delivered" | "failed";
            /** Format: date-time */
            created_at: string;
            attempts: number;
            /** Format: date-time */
            last_attempt_at: string | null;
            /** Format: date-time */
            next_attempt_at: string | null;
            /** @description HTTP status of the last attempt */
            status: number | null;
            /** @description Why the last attempt failed */
            error: string | null;
        };
        NewAttempt: Record<string, never>;
        WebhookSecret: {
            /** @description `whsec_` and the key in base64, as Standard Webhooks has it */
            secret: string;
        };
        NewWebhookSecret: Record<string, never>;
        AlertDeliveryList: {
            /** @description Newest first, 100 at most */
            deliveries: components["schemas"]["AlertDelivery"][];
        };
        UnlistedGroup: {
            /** @description User agent with `*` for versions, build numbers and ids */
            user_agent_group: string;
            /** @description Visits */
            visits: number;
            /** @description Of these, visits that a program likely made */
            likely: number;
            /** @description What speaks for a program in any of its visits */
            signs: (("no_user_agent" | "bot_name" | "http_library" | "compatible_name" | "bare_name" | "signed" | "headless" | "client_hints" | "from_header" | "markdown" | "handwritten" | "impossible_browser" | "obsolete_browser" | "not_a_browser" | "no_system" | "mistake" | "contact" | "isbot" | "old_browser" | "client_hints_doubt" | "no_accept_language" | "robots_txt" | "data_center") | string)[];
            /** @description Of its newest 20 visits that are stored, the most frequent first */
            networks: {
                /** @description As CIDR */
                prefix: string;
                /** @description Who runs it; null where nothing is known */
                client_network: components["schemas"]["ClientNetwork"] | null;
            }[];
            /** @description The same for paths, without queries */
            paths: string[];
            /**
             * Format: date-time
             * @description When the first of the range was counted: the quarter of an hour, or the day (UTC), that it is in
             */
            first_seen_at: string;
            /**
             * Format: date-time
             * @description When the last one occurred; where it is not stored, as `first_seen_at`
             */
            last_seen_at: string;
        };
        /** @description Programs among the unknown visitors, by user agent */
        Unlisted: {
            /**
             * Format: date-time
             * @description Where counting starts: the quarter of an hour that holds what was asked for
             */
            from: string;
            /**
             * Format: date-time
             * @description Where it ends, exclusive: the next full quarter of an hour
             */
            to: string;
            /** @description Visits that a program likely made */
            likely: number;
            /** @description Visits with a single sign, which people may have, too */
            unclear: number;
            /** @description The most frequent 100, without those that were dismissed */
            groups: components["schemas"]["UnlistedGroup"][];
            /** @description Groups beyond these */
            other_groups: number;
            /** @description Visits of groups beyond these, and of those too many to tell apart */
            other_visits: number;
            /** @description Visits of groups that were dismissed */
            dismissed_visits: number;
            /** @description Whether networks are named by their operators */
            has_network_names: boolean;
        };
        /** @description What an agent with these patterns would have been named in */
        PatternTrialResult: {
            /**
             * Format: date-time
             * @description 7 days before now
             */
            from: string;
            /** @description Groups of unlisted user agents in which a pattern matches */
            groups: number;
            /** @description Their visits since `from` */
            visits: number;
            /** @description Of these, visits whose user agent is that of a browser of people */
            browser_visits: number;
            /** @description What the patterns find among the browsers of people */
            browsers: {
                /** @description User agents of common browsers of people */
                tried: number;
                /** @description Those in which a pattern matches: more than 0 makes people agents */
                matching: number;
                /** @description One of those */
                example: string | null;
            };
        };
        PatternTrial: {
            /** @description As an agent has them */
            user_agent_patterns: string[];
        };
        DismissedUserAgent: {
            /** Format: uuid */
            id: string;
            /** @description User agent with `*` for versions, build numbers and ids */
            user_agent_group: string;
            /**
             * Format: date-time
             * @description When
             */
            dismissed_at: string;
            /** @description Name of the person who did; null for a program, or an account that is gone */
            dismissed_by: string | null;
        };
        DismissedUserAgents: {
            /** @description The newest first, 1000 at most */
            dismissed: components["schemas"]["DismissedUserAgent"][];
        };
        NewDismissedUserAgent: {
            /**
             * Format: single-line
             * @description As the list of unlisted programs has it
             */
            user_agent_group: string;
        };
        ReidentificationReport: {
            /** @description Stored visits that were judged again */
            looked_at: number;
            /** @description Visits whose verdict is another one now */
            changed: number;
            /** @description What they were and what they are, the most frequent first; 200 at most */
            changes: {
                from: {
                    /** @description null for an unknown visitor */
                    agent_token: string | null;
                    agent_type_name: string | null;
                    /** @description Whether the visitor is who it says it is */
                    result: ("verified" | "verification_failed" | "not_verifiable" | "unknown_agent") | string;
                    /** @description Why the result is what it is */
                    reason: ("no_method" | "no_client_address" | "address_not_public" | "no_signature" | "no_web_bot_auth_signature" | "signature_headers_incomplete" | "signature_input_unreadable" | "signature_value_unreadable" | "missing_parameters" | "target_not_covered" | "signature_agent_absent" | "signature_agent_unparsable" | "signature_agent_not_covered" | "signature_agent_member_missing" | "signature_agent_ambiguous" | "signature_agent_member_has_parameters" | "signature_agent_not_https" | "signature_agent_not_a_url" | "signature_agent_not_listed" | "missing_component" | "component_unavailable" | "duplicate_component" | "query_unknown" | "expired" | "created_in_future" | "bad_signature" | "algorithm_mismatch" | "algorithm_not_allowed" | "test_key" | "key_expired" | "key_not_yet_valid" | "key_not_in_directory" | "authority_not_expected" | "directory_unreachable" | "directory_bad_status" | "directory_redirected" | "directory_malformed" | "directory_address_refused" | "directory_pending" | "address_not_listed" | "list_too_old" | "visit_too_old" | "no_host_name" | "host_name_not_listed" | "host_name_not_confirmed" | "too_many_host_names" | "dns_timeout" | "dns_error" | "dns_busy" | "dns_off" | "dns_pending" | null) | string;
                    /** @description What robots.txt said; null where that is not known, and for others than agents */
                    robots: string | null;
                    /** @description Whether a program made it; null for agents */
                    automation: string | null;
                    /** @description The AI assistant that sent the visitor; null where none is known */
                    assistant: string | null;
                };
                to: {
                    /** @description null for an unknown visitor */
                    agent_token: string | null;
                    agent_type_name: string | null;
                    /** @description Whether the visitor is who it says it is */
                    result: ("verified" | "verification_failed" | "not_verifiable" | "unknown_agent") | string;
                    /** @description Why the result is what it is */
                    reason: ("no_method" | "no_client_address" | "address_not_public" | "no_signature" | "no_web_bot_auth_signature" | "signature_headers_incomplete" | "signature_input_unreadable" | "signature_value_unreadable" | "missing_parameters" | "target_not_covered" | "signature_agent_absent" | "signature_agent_unparsable" | "signature_agent_not_covered" | "signature_agent_member_missing" | "signature_agent_ambiguous" | "signature_agent_member_has_parameters" | "signature_agent_not_https" | "signature_agent_not_a_url" | "signature_agent_not_listed" | "missing_component" | "component_unavailable" | "duplicate_component" | "query_unknown" | "expired" | "created_in_future" | "bad_signature" | "algorithm_mismatch" | "algorithm_not_allowed" | "test_key" | "key_expired" | "key_not_yet_valid" | "key_not_in_directory" | "authority_not_expected" | "directory_unreachable" | "directory_bad_status" | "directory_redirected" | "directory_malformed" | "directory_address_refused" | "directory_pending" | "address_not_listed" | "list_too_old" | "visit_too_old" | "no_host_name" | "host_name_not_listed" | "host_name_not_confirmed" | "too_many_host_names" | "dns_timeout" | "dns_error" | "dns_busy" | "dns_off" | "dns_pending" | null) | string;
                    /** @description What robots.txt said; null where that is not known, and for others than agents */
                    robots: string | null;
                    /** @description Whether a program made it; null for agents */
                    automation: string | null;
                    /** @description The AI assistant that sent the visitor; null where none is known */
                    assistant: string | null;
                };
                visits: number;
                /** Format: date-time */
                first_at: string;
                /** Format: date-time */
                last_at: string;
                /** @description The first 5 */
                visit_ids: string[];
            }[];
            /** @description Changed visits that are in none of `changes` */
            other_changes: number;
            /** @description Visits with a check that cannot be repeated, by method: its earlier outcome counts */
            kept_steps: {
                http_message_signature: number;
                ip_range: number;
                reverse_dns: number;
            };
            /** @description Visits that were kept reduced, so that agents are found by User-Agent alone */
            by_user_agent: number;
            /** @description Visits that were left unchanged, because visits of what they would become are not kept for so long */
            past_retention: number;
        };
        Reidentification: {
            /** Format: uuid */
            id: string;
            /**
             * Format: date-time
             * @description Visits that occurred from this time on
             */
            from: string;
            /**
             * Format: date-time
             * @description Visits that occurred before this time. A time in the future is replaced by now
             */
            to: string;
            /** @description Only changes from or to this agent; null for all */
            agent: string | null;
            /** @enum {string} */
            state: "previewing" | "previewed" | "applying" | "applied" | "canceled";
            is_paused: boolean;
            /** @description Share that is done, in the present state */
            progress: number;
            preview: components["schemas"]["ReidentificationReport"] | null;
            result: components["schemas"]["ReidentificationReport"] | null;
            /** @description The error that paused it; null if a person did, or nothing */
            error: string | null;
            /** Format: date-time */
            created_at: string;
            /** @description Name of the person; null for a program, or an account that is gone */
            created_by: string | null;
        };
        Reidentifications: {
            /** @description The latest first, 100 at most */
            reidentifications: components["schemas"]["Reidentification"][];
            /**
             * Format: date-time
             * @description When agents or assistants last changed, if the project has visits from before and none were judged again since; null otherwise
             */
            catalog_changed_at: string | null;
        };
        NewReidentification: {
            /**
             * Format: date-time
             * @description Visits that occurred from this time on
             */
            from: string;
            /**
             * Format: date-time
             * @description Visits that occurred before this time. A time in the future is replaced by now
             */
            to: string;
            /**
             * Format: postgres-text
             * @description Only changes from or to the agent with this token, which is in the catalog or a stored visit
             */
            agent?: string;
        };
        ReidentificationChange: {
            /**
             * @description `apply` what was previewed; `pause` or `resume` work that is not over; `cancel` it, which leaves applied changes
             * @enum {string}
             */
            action: "apply" | "pause" | "resume" | "cancel";
        };
        ProjectRules: {
            /** @description As it goes into the file */
            text: string;
            /** @description Version of the list of agents that it was made with */
            catalog_version: string;
        };
        /** @description Path, signals and license are for robots.txt; in other formats they change nothing */
        RulesSelection: {
            /** @description Agents of these types */
            agent_types: ("AI Agent" | "AI Assistant" | "AI Coding Agent" | "AI Data Provider" | "AI Data Scraper" | "AI Search Crawler" | "Archiver" | "Developer Helper" | "Fetcher" | "Automated Agent" | "Intelligence Gatherer" | "Scraper" | "SEO Crawler" | "Search Engine Crawler" | "Security Scanner" | "Undocumented AI Agent" | "Uncategorized")[];
            /** @description Also agents with one of these behaviors, whatever their type */
            agent_behaviors?: ("search" | "training" | "user_fetch" | "actions" | "link_preview" | "advertising" | "monitoring")[];
            /** @description But not these agents; compared ignoring case */
            excluded_agent_tokens?: string[];
            /** @description Nor the agents of these operators; compared ignoring case */
            excluded_operator_names?: string[];
            /**
             * Format: robots-path
             * @description What is disallowed in robots.txt, `*` and `$` as in RFC 9309; empty allows all; absent: everything
             */
            disallow?: string;
            /**
             * @description What the rules are for
             * @enum {string}
             */
            format: "blocks" | "grouped" | "json" | "text" | "nginx-map" | "apache" | "caddy" | "haproxy";
            /** @description What Content-Signal says about the content (contentsignals.org) */
            content_signal?: {
                /** @description It may be in a search index, and shown as links and excerpts; absent: nothing is stated */
                search?: boolean;
                /** @description AI models may read it to answer questions; absent: nothing is stated */
                ai_input?: boolean;
                /** @description AI models may be trained on it; absent: nothing is stated */
                ai_train?: boolean;
            };
            /** @description What Content-Usage says about the content (draft-ietf-aipref-vocab) */
            content_usage?: {
                /** @description It may be in a search index; absent: nothing is stated */
                search?: boolean;
                /** @description AI models may be trained on it; absent: nothing is stated */
                train_ai?: boolean;
            };
            /**
             * Format: license-url
             * @description Where the terms are, for a License line (RSL 1.0): an absolute URL
             * @example https://shop.example/license.xml
             */
            license?: string;
        };
        /** @description Visits that failed verification are in no number */
        RulesTrial: {
            /**
             * Format: date-time
             * @description Where counting starts: 30 days ago, to the quarter of an hour
             */
            from: string;
            /**
             * Format: date-time
             * @description Where it ends, exclusive
             */
            to: string;
            /** @description Visits that the rules would have disallowed */
            visits: number;
            /** @description Agents with such a visit */
            agents: number;
            /** @description All visits of agents that the rules name */
            named_visits: number;
            /** @description Of `agents`, those that fetched in the same days what the robots.txt of the site disallowed, without those that fetch on behalf of people; null where no version of it was known */
            disregarding_agents: number | null;
            /** @description Of `agents`, those that fetch on behalf of people, by their type: operators say that robots.txt does not bind these */
            user_triggered_agents: number;
            /** @description Visits whose paths were read, up to about 10000; null where counts tell everything */
            read_visits: number | null;
            /** @description Visits of named agents of which none was read; not in `visits` */
            unread_visits: number;
            /** @description Whether `visits` follows from a part of the visits */
            is_estimated: boolean;
            /** @description Most visits first */
            top_agents: {
                /** Format: uuid */
                agent_id: string;
                /** @description null where the agent is no longer in the catalog */
                agent_token: string | null;
                /** @description One of the types, such as Search Engine Crawler */
                agent_type_name: string | null;
                /** @description The company behind it */
                operator_name: string | null;
                /** @description It fetches on behalf of people, by its type */
                is_user_triggered: boolean;
                /** @description Visits that the rules would have disallowed */
                visits: number;
                /** @description Visits in the same days that the robots.txt of the site disallowed */
                disregarded: number;
            }[];
        };
        RulesTrialRequest: {
            /** @description Agents of these types */
            agent_types: ("AI Agent" | "AI Assistant" | "AI Coding Agent" | "AI Data Provider" | "AI Data Scraper" | "AI Search Crawler" | "Archiver" | "Developer Helper" | "Fetcher" | "Automated Agent" | "Intelligence Gatherer" | "Scraper" | "SEO Crawler" | "Search Engine Crawler" | "Security Scanner" | "Undocumented AI Agent" | "Uncategorized")[];
            /** @description Also agents with one of these behaviors, whatever their type */
            agent_behaviors?: ("search" | "training" | "user_fetch" | "actions" | "link_preview" | "advertising" | "monitoring")[];
            /** @description But not these agents; compared ignoring case */
            excluded_agent_tokens?: string[];
            /** @description Nor the agents of these operators; compared ignoring case */
            excluded_operator_names?: string[];
            /**
             * Format: robots-path
             * @description What is disallowed in robots.txt, `*` and `$` as in RFC 9309; empty allows all; absent: everything
             */
            disallow?: string;
        };
        RulesVersionList: {
            /** @description Newest first, 10 at most */
            versions: {
                /** Format: uuid */
                id: string;
                selection: components["schemas"]["RulesSelection"];
                /** @description Version of the list of agents that it was made with */
                catalog_version: string;
                /** Format: date-time */
                saved_at: string;
                /** @description Name of the person who saved it; null for a program, or an account that is gone */
                saved_by: string | null;
            }[];
        };
        RulesVersion: {
            /** Format: uuid */
            id: string;
            selection: components["schemas"]["RulesSelection"];
            /** @description Version of the list of agents that it was made with */
            catalog_version: string;
            /** Format: date-time */
            saved_at: string;
            /** @description Name of the person who saved it; null for a program, or an account that is gone */
            saved_by: string | null;
            /** @description As it goes into the file */
            text: string;
        };
        /** @description What a host served as robots.txt, from when to when */
        RobotsVersion: {
            /** Format: uuid */
            id: string;
            /**
             * @description The host that served it
             * @example shop.example
             */
            host: string;
            /**
             * Format: date-time
             * @description When it was first seen, or from when on it was recorded
             */
            served_from: string;
            /**
             * Format: date-time
             * @description Null: it still is
             */
            served_until: string | null;
            /** @description Status of the answer: 200 is a file, 4xx is none, and 5xx disallows everything. Null: no answer, as 5xx */
            status: number | null;
            /** @description Whether it was recorded, rather than fetched */
            is_recorded: boolean;
            /** @description Bytes of the text; null where there is no file */
            size: number | null;
            /** @description Whether the file is longer than the 500 KiB that crawlers read */
            is_cut: boolean;
            /** @description SHA-256 of the file, as hex: the same for the same file */
            digest: string | null;
        };
        /** @description A host of a project, and what is known of its robots.txt */
        RobotsHost: {
            /**
             * @description The host that served it
             * @example shop.example
             */
            host: string;
            /**
             * Format: date-time
             * @description When it was last fetched; null: never
             */
            checked_at: string | null;
            /** @description Where it was found in the end, after redirects */
            url: string | null;
            /** @description What was wrong with the last fetch */
            fault: string | null;
            /** @description What is in force; null where nothing is known */
            version: components["schemas"]["RobotsVersion"] | null;
        };
        RobotsVersionPage: {
            /** @description Newest first */
            versions: components["schemas"]["RobotsVersion"][];
            /** @description For the page after; null at the end */
            next_cursor: string | null;
            /** @description In the order of the project's settings */
            hosts: components["schemas"]["RobotsHost"][];
        };
        NewRobotsVersion: {
            /**
             * Format: single-line
             * @description One of the project's; the first one unless given
             */
            host?: string;
            /**
             * Format: postgres-text
             * @description The file, with status 200. Only its first 500 KiB count
             */
            text?: string;
            /** @description What the host answered; 200 unless given, 4xx for no file, 5xx where it fails */
            status?: number;
            /**
             * Format: timestamp
             * @description From when on, ISO 8601; now unless given
             */
            served_from?: string;
        };
        RobotsHostList: {
            /** @description In the order of the project's settings */
            hosts: components["schemas"]["RobotsHost"][];
        };
        RobotsRefresh: Record<string, never>;
        /** @description What a line says beside the rules */
        RobotsSignal: {
            /** @enum {string} */
            kind: "content-signal" | "content-usage" | "license" | "sitemap" | "crawl-delay";
            line: number;
            /** @description The line without its comment */
            text: string;
            /** @description Of its group, ten at most; none: it belongs to no group */
            user_agents: string[];
            /** @description What the preferences are about; null: everything */
            path: string | null;
            /** @description Of Content-Signal and Content-Usage */
            preferences: {
                /** @example ai-train */
                name: string;
                /**
                 * @description Null for what is neither
                 * @enum {string|null}
                 */
                value: "yes" | "no" | null;
            }[];
            /** @description Of License and Sitemap; null where it is not one */
            url: string | null;
            /** @description Of Crawl-delay; null where it is not a number */
            seconds: number | null;
        };
        RobotsVersionWithText: {
            /** Format: uuid */
            id: string;
            /**
             * @description The host that served it
             * @example shop.example
             */
            host: string;
            /**
             * Format: date-time
             * @description When it was first seen, or from when on it was recorded
             */
            served_from: string;
            /**
             * Format: date-time
             * @description Null: it still is
             */
            served_until: string | null;
            /** @description Status of the answer: 200 is a file, 4xx is none, and 5xx disallows everything. Null: no answer, as 5xx */
            status: number | null;
            /** @description Whether it was recorded, rather than fetched */
            is_recorded: boolean;
            /** @description Bytes of the text; null where there is no file */
            size: number | null;
            /** @description Whether the file is longer than the 500 KiB that crawlers read */
            is_cut: boolean;
            /** @description SHA-256 of the file, as hex: the same for the same file */
            digest: string | null;
            /** @description What crawlers read of it; null where there is no file */
            text: string | null;
            /** @description In the order of the lines, 1,000 at most */
            signals: components["schemas"]["RobotsSignal"][];
        };
        Queue: {
            /** @description Why the numbers are not to be had, or old */
            fault: string | null;
            /** @description What of the topics is not as wanted */
            topics: string[];
            groups: {
                group: string;
                /** @description As Kafka calls it */
                state: string;
                members: number;
                /** @description Messages that wait */
                lag: number;
            }[];
        };
        /** @description How the instance is */
        System: {
            /** @description All that reported within a day, by service */
            processes: {
                /** Format: uuid */
                id: string;
                /** @description Which service runs in it; `agent-traffic` is all of them */
                service: string;
                host: string;
                version: string;
                /** Format: date-time */
                started_at: string;
                /** Format: date-time */
                reported_at: string;
                seconds_since_report: number;
                /**
                 * @description As its own checks say; `silent` after 30 s without a report
                 * @enum {string}
                 */
                state: "ok" | "degraded" | "unavailable" | "silent";
                /** @description What is wrong, by name of the check; null is fine */
                checks: {
                    [key: string]: string | null;
                };
                /** @description Who sent X-Forwarded-For within the last day and is not one of TRUSTED_PROXIES, most requests first */
                untrusted_forwarders: {
                    address: string;
                    /** @description Since the process started */
                    requests: number;
                }[];
            }[];
            /** @description The service rules, which keeps nothing and so does not report: as the console reaches it */
            rules: {
                /** @enum {string} */
                state: "ok" | "degraded" | "unavailable" | "silent";
                detail: string | null;
            } | null;
            /** @description null: the services are joined within one process, without a queue */
            queue: components["schemas"]["Queue"] | null;
            dead_letters: {
                /** @description Not replayed yet */
                open: number;
                /**
                 * Format: date-time
                 * @description When the newest of them failed
                 */
                newest_at: string | null;
            };
            catalog: {
                /** @description null while the catalog does not answer */
                version: string | null;
                /** @description Of the list that came with the release */
                bundled_version: string;
                agents: number;
                /** @description Added or changed here */
                own_agents: number;
                /** @description Address lists that operators of agents, proxies and data centers publish */
                lists: {
                    url: string;
                    /** @description Address ranges; null while it was never fetched */
                    ranges: number | null;
                    /**
                     * Format: date-time
                     * @description When it was last fetched without a fault
                     */
                    fetched_at: string | null;
                    /** @description Why the last fetch changed nothing */
                    fault: string | null;
                    /** Format: date-time */
                    next_try_at: string;
                }[];
            };
            disk: {
                database_bytes: number;
                visits_bytes: number;
                counts_bytes: number;
                /** @description One a day of receipt, newest first */
                partitions: {
                    /** Format: date */
                    day: string;
                    bytes: number;
                    /** @description Estimated */
                    visits: number;
                }[];
                outbox: {
                    messages: number;
                    bytes: number;
                    /**
                     * Format: date-time
                     * @description Since when the oldest message waits
                     */
                    oldest_at: string | null;
                };
            };
            /** @description Files that networks are named by, as the console that answers has read them; those that are set */
            network_files: {
                /** @enum {string} */
                setting: "GEOIP_FILE" | "ASN_FILE";
                path: string;
                /** @description As the file says; null while none could be read */
                database_type: string | null;
                /**
                 * Format: date-time
                 * @description When the file in use was built
                 */
                built_at: string | null;
                /** @description Why the file is not in use, or not the latest one */
                fault: string | null;
            }[];
            /** @description Whether `PUBLIC_URL` is http although people reach the instance by https */
            is_public_url_insecure: boolean;
            retention: {
                /** @description Days for which visits are kept; null until ingest has told */
                days: number | null;
                /** @description As set here; null: as the configuration has it */
                set_days: number | null;
                /** @description RETENTION_DAYS of ingest; null until it has told */
                configured_days: number | null;
                /** @description Days for which visits of unknown visitors are kept, at most as long as others; null: as long as others */
                unknown_days: number | null;
                /** @description false: the instance is older than this setting, and nobody has chosen yet */
                unknown_days_chosen: boolean;
                /** @description Days for which entries of the audit log are kept */
                audit_days: number;
                /** @description That visits of agents took in a day, on the average of the last 7 days that had any; null before the first */
                bytes_per_day: number | null;
                /** @description The same as bytes_per_day, of unknown visitors */
                unknown_bytes_per_day: number | null;
            };
        };
        Retention: {
            /** @description Days for which visits are kept; null until ingest has told */
            days: number | null;
            /** @description As set here; null: as the configuration has it */
            set_days: number | null;
            /** @description RETENTION_DAYS of ingest; null until it has told */
            configured_days: number | null;
            /** @description Days for which visits of unknown visitors are kept, at most as long as others; null: as long as others */
            unknown_days: number | null;
            /** @description false: the instance is older than this setting, and nobody has chosen yet */
            unknown_days_chosen: boolean;
            /** @description Days for which entries of the audit log are kept */
            audit_days: number;
        };
        RetentionChange: {
            /** @description null: as the configuration has it */
            days?: number | null;
            /** @description Of unknown visitors; null: as long as others */
            unknown_days?: number | null;
            /** @description Of entries of the audit log */
            audit_days?: number;
        };
        /** @description Whether visits get through, from the report to the timeline */
        Pipeline: {
            /** @enum {string} */
            state: "running" | "degraded" | "down";
            /** @description In the order in which a visit meets them */
            parts: {
                /** @enum {string} */
                part: "gateway" | "queue" | "enrichment" | "ingest" | "database";
                /** @enum {string} */
                state: "running" | "degraded" | "down";
                /** @description A sentence for people; null where it runs */
                detail: string | null;
            }[];
        };
        AuditEntry: {
            /** Format: uuid */
            id: string;
            /** Format: date-time */
            occurred_at: string;
            /**
             * Format: uuid
             * @description The project it belongs to, which may be gone; null for what belongs to the instance
             */
            project_id: string | null;
            actor: {
                /**
                 * @description visitor: somebody who was not signed in. command_line: a command that uses the database itself. environment: a setting at the start. service: a task of a service. database: a connection of somebody’s own.
                 * @enum {string}
                 */
                type: "person" | "api_key" | "visitor" | "command_line" | "environment" | "service" | "database";
                /** @description ID of the person or the API key */
                id: string | null;
                /** @description Email address of the person, or name of the API key, as it was then */
                name: string | null;
                /** @description Where the request came from */
                address: string | null;
                /** @description With what it was sent; a command line names itself in its User-Agent */
                via: ("dashboard" | "api" | "command_line") | null;
                /** @description The `X-Request-Id` of the request, which the logs have, too */
                request_id: string | null;
            };
            /** @description ID of the operation in this document; null for what no request changed */
            operation: string | null;
            /**
             * @description revealed: a secret was shown. done: something happened that changes none of the settings.
             * @enum {string}
             */
            change: "created" | "changed" | "removed" | "revealed" | "done";
            subject: {
                /** @enum {string} */
                type: "access_token" | "agent" | "agent_feed" | "alert" | "alert_channel" | "alert_delivery" | "api_key" | "assistant" | "chart_note" | "dead_letter" | "dismissed_user_agent" | "drain_settings" | "invitation" | "login" | "member" | "passkey" | "password_reset" | "project" | "reidentification" | "report_subscription" | "robots_version" | "rules_version" | "sample_visit" | "saved_filter" | "second_factor" | "session" | "settings" | "setup_code" | "shared_link" | "test_visit" | "user" | "visits";
                /** @description ID of what changed */
                id: string | null;
                /** @description Its name as it was then */
                name: string | null;
            };
            /** @description Former values of what changed; secrets are `[hidden]` */
            before: {
                [key: string]: unknown;
            } | null;
            /** @description Values since then; of what was done, its parameters */
            after: {
                [key: string]: unknown;
            } | null;
        };
        AuditPage: {
            /** @description Newest first */
            entries: components["schemas"]["AuditEntry"][];
            /** @description Of the page with older entries; null at the end */
            next_cursor: string | null;
        };
        Account: {
            /** Format: uuid */
            id: string;
            /** @description Upper and lower case are the same */
            email: string;
            /** Format: single-line */
            name: string;
            /** @description May do everything on the instance */
            is_admin: boolean;
            /** @description Projects of which they are a member */
            projects: number;
            /** @description false: signs in with the OpenID provider alone */
            has_password: boolean;
            /** @description Signing in with the password takes a code, too */
            has_second_factor: boolean;
            /** @description How many they have, to sign in without the password */
            passkeys: number;
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @description When a session was last made or renewed; null without one
             */
            last_seen_at: string | null;
            /** @description What they made that works. All of it ends with the account; all but invitations to their own projects ends when they are an administrator no longer */
            made: {
                api_keys: number;
                password_resets: number;
                invitations: number;
                /** @description Of these, to projects of which they are not an owner */
                invitations_elsewhere: number;
            };
        };
        AccountList: {
            /** @description By address */
            users: components["schemas"]["Account"][];
        };
        ChangedAccount: {
            /** Format: uuid */
            id: string;
            /** @description Upper and lower case are the same */
            email: string;
            /** Format: single-line */
            name: string;
            /** @description May do everything on the instance */
            is_admin: boolean;
            /** @description Projects of which they are a member */
            projects: number;
            /** @description false: signs in with the OpenID provider alone */
            has_password: boolean;
            /** @description Signing in with the password takes a code, too */
            has_second_factor: boolean;
            /** @description How many they have, to sign in without the password */
            passkeys: number;
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @description When a session was last made or renewed; null without one
             */
            last_seen_at: string | null;
            /** @description What they made that works. All of it ends with the account; all but invitations to their own projects ends when they are an administrator no longer */
            made: {
                api_keys: number;
                password_resets: number;
                invitations: number;
                /** @description Of these, to projects of which they are not an owner */
                invitations_elsewhere: number;
            };
            /** @description What they had made and may no longer give: it stopped working with the change */
            ended: {
                api_keys: number;
                invitations: number;
                password_resets: number;
            };
        };
        AccountChange: {
            is_admin: boolean;
        };
        RevealedPasswordReset: {
            /** @description Upper and lower case are the same */
            email: string;
            /** @description Where a new password is chosen, once; shown once */
            url: string;
            /** Format: date-time */
            expires_at: string;
        };
        NewPasswordReset: {
            /** @description Upper and lower case are the same */
            email: string;
        };
        OpenPasswordReset: {
            /** @description Upper and lower case are the same */
            email: string;
            /** Format: date-time */
            expires_at: string;
        };
        PasswordReset: {
            password: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listVisits: {
        parameters: {
            query?: {
                /** @description Not before this time, ISO 8601 */
                from?: string;
                /** @description Before this time, ISO 8601 */
                to?: string;
                /** @description Start of the request path; repeated: one of them */
                path?: string[];
                /** @description Token or id of the agent; repeated: one of them */
                agent?: string[];
                /** @description Result of the identification; repeated: one of them */
                result?: ("verified" | "verification_failed" | "not_verifiable" | "unknown_agent")[];
                /** @description Type of the agent; repeated: one of them */
                type?: ("AI Agent" | "AI Assistant" | "AI Coding Agent" | "AI Data Provider" | "AI Data Scraper" | "AI Search Crawler" | "Archiver" | "Developer Helper" | "Fetcher" | "Automated Agent" | "Intelligence Gatherer" | "Scraper" | "SEO Crawler" | "Search Engine Crawler" | "Security Scanner" | "Undocumented AI Agent" | "Uncategorized")[];
                /** @description Company behind the agent; repeated: one of them */
                operator?: string[];
                /** @description Whole request path, without its query; repeated: one of them */
                page?: string[];
                /** @description The client's address, or its network such as 192.0.2.0/24; repeated: one of them */
                address?: string[];
                /** @description Status of the response, such as 404, or a class, such as 4xx; repeated: one of them */
                status?: string[];
                /** @description What the site's robots.txt said about it; repeated: one of them */
                robots?: ("allowed" | "disallowed" | "no_rules" | "unreachable" | "unknown")[];
                /** @description AI assistant that sent the visitor; repeated: one of them */
                assistant?: string[];
                /** @description Whether a program made a visit of an unknown visitor; repeated: one of them */
                automation?: ("likely" | "unclear" | "unlikely")[];
                /** @description User agent without versions, as the list of unlisted programs has it; repeated: one of them */
                user_agent_group?: string[];
                /** @description Name of the MCP tool; repeated: one of them */
                mcp_tool?: string[];
                /** @description Kind of visit; repeated: one of them */
                kind?: ("page" | "mcp" | "acp" | "ucp")[];
                /** @description All but these. Start of the request path; repeated: none of them */
                not_path?: string[];
                /** @description All but these. Token or id of the agent; repeated: none of them */
                not_agent?: string[];
                /** @description All but these. Result of the identification; repeated: none of them */
                not_result?: ("verified" | "verification_failed" | "not_verifiable" | "unknown_agent")[];
                /** @description All but these. Type of the agent; repeated: none of them */
                not_type?: ("AI Agent" | "AI Assistant" | "AI Coding Agent" | "AI Data Provider" | "AI Data Scraper" | "AI Search Crawler" | "Archiver" | "Developer Helper" | "Fetcher" | "Automated Agent" | "Intelligence Gatherer" | "Scraper" | "SEO Crawler" | "Search Engine Crawler" | "Security Scanner" | "Undocumented AI Agent" | "Uncategorized")[];
                /** @description All but these. Company behind the agent; repeated: none of them */
                not_operator?: string[];
                /** @description All but these. Whole request path, without its query; repeated: none of them */
                not_page?: string[];
                /** @description All but these. The client's address, or its network such as 192.0.2.0/24; repeated: none of them */
                not_address?: string[];
                /** @description All but these. Status of the response, such as 404, or a class, such as 4xx; repeated: none of them */
                not_status?: string[];
                /** @description All but these. What the site's robots.txt said about it; repeated: none of them */
                not_robots?: ("allowed" | "disallowed" | "no_rules" | "unreachable" | "unknown")[];
                /** @description All but these. AI assistant that sent the visitor; repeated: none of them */
                not_assistant?: string[];
                /** @description All but these. Whether a program made a visit of an unknown visitor; repeated: none of them */
                not_automation?: ("likely" | "unclear" | "unlikely")[];
                /** @description All but these. User agent without versions, as the list of unlisted programs has it; repeated: none of them */
                not_user_agent_group?: string[];
                /** @description All but these. Name of the MCP tool; repeated: none of them */
                not_mcp_tool?: string[];
                /** @description All but these. Kind of visit; repeated: none of them */
                not_kind?: ("page" | "mcp" | "acp" | "ucp")[];
                /** @description Which visits come first, by when they occurred */
                order?: "newest" | "oldest";
                /** @description Items of a page, at most; pages of large visits end at 4 MiB */
                limit?: number;
                /** @description From an earlier answer */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description The project */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VisitPage"];
                };
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is nothing here, or nothing that the credential reaches */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body or a parameter does not fit; `errors` says where */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The rate limit is reached; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The address and the headers are larger than 16 KiB together */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The answer took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    streamVisits: {
        parameters: {
            query?: {
                /** @description The same, for clients that cannot set headers */
                last_event_id?: string;
                /** @description Visits a second, at most */
                max_per_second?: number;
                /** @description Not before this time, ISO 8601 */
                from?: string;
                /** @description Before this time, ISO 8601 */
                to?: string;
                /** @description Start of the request path; repeated: one of them */
                path?: string[];
                /** @description Token or id of the agent; repeated: one of them */
                agent?: string[];
                /** @description Result of the identification; repeated: one of them */
                result?: ("verified" | "verification_failed" | "not_verifiable" | "unknown_agent")[];
                /** @description Type of the agent; repeated: one of them */
                type?: ("AI Agent" | "AI Assistant" | "AI Coding Agent" | "AI Data Provider" | "AI Data Scraper" | "AI Search Crawler" | "Archiver" | "Developer Helper" | "Fetcher" | "Automated Agent" | "Intelligence Gatherer" | "Scraper" | "SEO Crawler" | "Search Engine Crawler" | "Security Scanner" | "Undocumented AI Agent" | "Uncategorized")[];
                /** @description Company behind the agent; repeated: one of them */
                operator?: string[];
                /** @description Whole request path, without its query; repeated: one of them */
                page?: string[];
                /** @description The client's address, or its network such as 192.0.2.0/24; repeated: one of them */
                address?: string[];
                /** @description Status of the response, such as 404, or a class, such as 4xx; repeated: one of them */
                status?: string[];
                /** @description What the site's robots.txt said about it; repeated: one of them */
                robots?: ("allowed" | "disallowed" | "no_rules" | "unreachable" | "unknown")[];
                /** @description AI assistant that sent the visitor; repeated: one of them */
                assistant?: string[];
                /** @description Whether a program made a visit of an unknown visitor; repeated: one of them */
                automation?: ("likely" | "unclear" | "unlikely")[];
                /** @description User agent without versions, as the list of unlisted programs has it; repeated: one of them */
                user_agent_group?: string[];
                /** @description Name of the MCP tool; repeated: one of them */
                mcp_tool?: string[];
                /** @description Kind of visit; repeated: one of them */
                kind?: ("page" | "mcp" | "acp" | "ucp")[];
                /** @description All but these. Start of the request path; repeated: none of them */
                not_path?: string[];
                /** @description All but these. Token or id of the agent; repeated: none of them */
                not_agent?: string[];
                /** @description All but these. Result of the identification; repeated: none of them */
                not_result?: ("verified" | "verification_failed" | "not_verifiable" | "unknown_agent")[];
                /** @description All but these. Type of the agent; repeated: none of them */
                not_type?: ("AI Agent" | "AI Assistant" | "AI Coding Agent" | "AI Data Provider" | "AI Data Scraper" | "AI Search Crawler" | "Archiver" | "Developer Helper" | "Fetcher" | "Automated Agent" | "Intelligence Gatherer" | "Scraper" | "SEO Crawler" | "Search Engine Crawler" | "Security Scanner" | "Undocumented AI Agent" | "Uncategorized")[];
                /** @description All but these. Company behind the agent; repeated: none of them */
                not_operator?: string[];
                /** @description All but these. Whole request path, without its query; repeated: none of them */
                not_page?: string[];
                /** @description All but these. The client's address, or its network such as 192.0.2.0/24; repeated: none of them */
                not_address?: string[];
                /** @description All but these. Status of the response, such as 404, or a class, such as 4xx; repeated: none of them */
                not_status?: string[];
                /** @description All but these. What the site's robots.txt said about it; repeated: none of them */
                not_robots?: ("allowed" | "disallowed" | "no_rules" | "unreachable" | "unknown")[];
                /** @description All but these. AI assistant that sent the visitor; repeated: none of them */
                not_assistant?: string[];
                /** @description All but these. Whether a program made a visit of an unknown visitor; repeated: none of them */
                not_automation?: ("likely" | "unclear" | "unlikely")[];
                /** @description All but these. User agent without versions, as the list of unlisted programs has it; repeated: none of them */
                not_user_agent_group?: string[];
                /** @description All but these. Name of the MCP tool; repeated: none of them */
                not_mcp_tool?: string[];
                /** @description All but these. Kind of visit; repeated: none of them */
                not_kind?: ("page" | "mcp" | "acp" | "ucp")[];
            };
            header?: {
                /** @description Resume after this event */
                "Last-Event-ID"?: string;
            };
            path: {
                /** @description The project */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is nothing here, or nothing that the credential reaches */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body or a parameter does not fit; `errors` says where */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The rate limit is reached; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The address and the headers are larger than 16 KiB together */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getVisit: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project */
                id: string;
                /** @description The visit */
                visitId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TimelineVisit"];
                };
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is nothing here, or nothing that the credential reaches */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The rate limit is reached; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteVisits: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VisitDeletion"];
            };
        };
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VisitDeletionResult"];
                };
            };
            /** @description The body is not JSON, or not what its encoding says */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is nothing here, or nothing that the credential reaches */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is larger than 5 MiB, as sent or as decoded */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON, or has another encoding than gzip, br or zstd */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body or a parameter does not fit; `errors` says where */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    countVisits: {
        parameters: {
            query?: {
                /** @description Not before this time, ISO 8601 */
                from?: string;
                /** @description Before this time, ISO 8601 */
                to?: string;
                /** @description Start of the request path; repeated: one of them */
                path?: string[];
                /** @description Token or id of the agent; repeated: one of them */
                agent?: string[];
                /** @description Result of the identification; repeated: one of them */
                result?: ("verified" | "verification_failed" | "not_verifiable" | "unknown_agent")[];
                /** @description Type of the agent; repeated: one of them */
                type?: ("AI Agent" | "AI Assistant" | "AI Coding Agent" | "AI Data Provider" | "AI Data Scraper" | "AI Search Crawler" | "Archiver" | "Developer Helper" | "Fetcher" | "Automated Agent" | "Intelligence Gatherer" | "Scraper" | "SEO Crawler" | "Search Engine Crawler" | "Security Scanner" | "Undocumented AI Agent" | "Uncategorized")[];
                /** @description Company behind the agent; repeated: one of them */
                operator?: string[];
                /** @description Whole request path, without its query; repeated: one of them */
                page?: string[];
                /** @description The client's address, or its network such as 192.0.2.0/24; repeated: one of them */
                address?: string[];
                /** @description Status of the response, such as 404, or a class, such as 4xx; repeated: one of them */
                status?: string[];
                /** @description What the site's robots.txt said about it; repeated: one of them */
                robots?: ("allowed" | "disallowed" | "no_rules" | "unreachable" | "unknown")[];
                /** @description AI assistant that sent the visitor; repeated: one of them */
                assistant?: string[];
                /** @description Whether a program made a visit of an unknown visitor; repeated: one of them */
                automation?: ("likely" | "unclear" | "unlikely")[];
                /** @description User agent without versions, as the list of unlisted programs has it; repeated: one of them */
                user_agent_group?: string[];
                /** @description Name of the MCP tool; repeated: one of them */
                mcp_tool?: string[];
                /** @description Kind of visit; repeated: one of them */
                kind?: ("page" | "mcp" | "acp" | "ucp")[];
                /** @description All but these. Start of the request path; repeated: none of them */
                not_path?: string[];
                /** @description All but these. Token or id of the agent; repeated: none of them */
                not_agent?: string[];
                /** @description All but these. Result of the identification; repeated: none of them */
                not_result?: ("verified" | "verification_failed" | "not_verifiable" | "unknown_agent")[];
                /** @description All but these. Type of the agent; repeated: none of them */
                not_type?: ("AI Agent" | "AI Assistant" | "AI Coding Agent" | "AI Data Provider" | "AI Data Scraper" | "AI Search Crawler" | "Archiver" | "Developer Helper" | "Fetcher" | "Automated Agent" | "Intelligence Gatherer" | "Scraper" | "SEO Crawler" | "Search Engine Crawler" | "Security Scanner" | "Undocumented AI Agent" | "Uncategorized")[];
                /** @description All but these. Company behind the agent; repeated: none of them */
                not_operator?: string[];
                /** @description All but these. Whole request path, without its query; repeated: none of them */
                not_page?: string[];
                /** @description All but these. The client's address, or its network such as 192.0.2.0/24; repeated: none of them */
                not_address?: string[];
                /** @description All but these. Status of the response, such as 404, or a class, such as 4xx; repeated: none of them */
                not_status?: string[];
                /** @description All but these. What the site's robots.txt said about it; repeated: none of them */
                not_robots?: ("allowed" | "disallowed" | "no_rules" | "unreachable" | "unknown")[];
                /** @description All but these. AI assistant that sent the visitor; repeated: none of them */
                not_assistant?: string[];
                /** @description All but these. Whether a program made a visit of an unknown visitor; repeated: none of them */
                not_automation?: ("likely" | "unclear" | "unlikely")[];
                /** @description All but these. User agent without versions, as the list of unlisted programs has it; repeated: none of them */
                not_user_agent_group?: string[];
                /** @description All but these. Name of the MCP tool; repeated: none of them */
                not_mcp_tool?: string[];
                /** @description All but these. Kind of visit; repeated: none of them */
                not_kind?: ("page" | "mcp" | "acp" | "ucp")[];
            };
            header?: never;
            path: {
                /** @description The project */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VisitCount"];
                };
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is nothing here, or nothing that the credential reaches */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body or a parameter does not fit; `errors` says where */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The rate limit is reached; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The address and the headers are larger than 16 KiB together */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    exportVisits: {
        parameters: {
            query?: {
                /** @description What the file is */
                format?: "csv" | "ndjson";
                /** @description Not before this time, ISO 8601 */
                from?: string;
                /** @description Before this time, ISO 8601 */
                to?: string;
                /** @description Start of the request path; repeated: one of them */
                path?: string[];
                /** @description Token or id of the agent; repeated: one of them */
                agent?: string[];
                /** @description Result of the identification; repeated: one of them */
                result?: ("verified" | "verification_failed" | "not_verifiable" | "unknown_agent")[];
                /** @description Type of the agent; repeated: one of them */
                type?: ("AI Agent" | "AI Assistant" | "AI Coding Agent" | "AI Data Provider" | "AI Data Scraper" | "AI Search Crawler" | "Archiver" | "Developer Helper" | "Fetcher" | "Automated Agent" | "Intelligence Gatherer" | "Scraper" | "SEO Crawler" | "Search Engine Crawler" | "Security Scanner" | "Undocumented AI Agent" | "Uncategorized")[];
                /** @description Company behind the agent; repeated: one of them */
                operator?: string[];
                /** @description Whole request path, without its query; repeated: one of them */
                page?: string[];
                /** @description The client's address, or its network such as 192.0.2.0/24; repeated: one of them */
                address?: string[];
                /** @description Status of the response, such as 404, or a class, such as 4xx; repeated: one of them */
                status?: string[];
                /** @description What the site's robots.txt said about it; repeated: one of them */
                robots?: ("allowed" | "disallowed" | "no_rules" | "unreachable" | "unknown")[];
                /** @description AI assistant that sent the visitor; repeated: one of them */
                assistant?: string[];
                /** @description Whether a program made a visit of an unknown visitor; repeated: one of them */
                automation?: ("likely" | "unclear" | "unlikely")[];
                /** @description User agent without versions, as the list of unlisted programs has it; repeated: one of them */
                user_agent_group?: string[];
                /** @description Name of the MCP tool; repeated: one of them */
                mcp_tool?: string[];
                /** @description Kind of visit; repeated: one of them */
                kind?: ("page" | "mcp" | "acp" | "ucp")[];
                /** @description All but these. Start of the request path; repeated: none of them */
                not_path?: string[];
                /** @description All but these. Token or id of the agent; repeated: none of them */
                not_agent?: string[];
                /** @description All but these. Result of the identification; repeated: none of them */
                not_result?: ("verified" | "verification_failed" | "not_verifiable" | "unknown_agent")[];
                /** @description All but these. Type of the agent; repeated: none of them */
                not_type?: ("AI Agent" | "AI Assistant" | "AI Coding Agent" | "AI Data Provider" | "AI Data Scraper" | "AI Search Crawler" | "Archiver" | "Developer Helper" | "Fetcher" | "Automated Agent" | "Intelligence Gatherer" | "Scraper" | "SEO Crawler" | "Search Engine Crawler" | "Security Scanner" | "Undocumented AI Agent" | "Uncategorized")[];
                /** @description All but these. Company behind the agent; repeated: none of them */
                not_operator?: string[];
                /** @description All but these. Whole request path, without its query; repeated: none of them */
                not_page?: string[];
                /** @description All but these. The client's address, or its network such as 192.0.2.0/24; repeated: none of them */
                not_address?: string[];
                /** @description All but these. Status of the response, such as 404, or a class, such as 4xx; repeated: none of them */
                not_status?: string[];
                /** @description All but these. What the site's robots.txt said about it; repeated: none of them */
                not_robots?: ("allowed" | "disallowed" | "no_rules" | "unreachable" | "unknown")[];
                /** @description All but these. AI assistant that sent the visitor; repeated: none of them */
                not_assistant?: string[];
                /** @description All but these. Whether a program made a visit of an unknown visitor; repeated: none of them */
                not_automation?: ("likely" | "unclear" | "unlikely")[];
                /** @description All but these. User agent without versions, as the list of unlisted programs has it; repeated: none of them */
                not_user_agent_group?: string[];
                /** @description All but these. Name of the MCP tool; repeated: none of them */
                not_mcp_tool?: string[];
                /** @description All but these. Kind of visit; repeated: none of them */
                not_kind?: ("page" | "mcp" | "acp" | "ucp")[];
            };
            header?: never;
            path: {
                /** @description The project */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    /** @description attachment, with a name for the file that says project and range */
                    "Content-Disposition"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                    "application/x-ndjson": string;
                };
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is nothing here, or nothing that the credential reaches */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body or a parameter does not fit; `errors` says where */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The rate limit is reached; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The address and the headers are larger than 16 KiB together */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listProjects: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectList"];
                };
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The rate limit is reached; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createProject: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewProject"];
            };
        };
        responses: {
            /** @description The answer */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Project"];
                };
            };
            /** @description The body is not JSON, or not what its encoding says */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is larger than 5 MiB, as sent or as decoded */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON, or has another encoding than gzip, br or zstd */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body or a parameter does not fit; `errors` says where */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getProject: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    /** @description Its version, for `If-Match` of a change */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Project"];
                };
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is nothing here, or nothing that the credential reaches */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The rate limit is reached; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    removeProject: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is nothing here, or nothing that the credential reaches */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    changeProject: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of what was read, also as a proxy that compresses has changed it (`W/"…"`, `"…-gzip"`): 412 if somebody else has changed it since, with its values now as `current`. Without it, the last change wins. */
                "If-Match"?: string;
            };
            path: {
                /** @description The project */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProjectChange"];
            };
        };
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    /** @description Its version, for `If-Match` of a change */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Project"];
                };
            };
            /** @description The body is not JSON, or not what its encoding says */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is nothing here, or nothing that the credential reaches */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Somebody else has changed it since; `current` has its values now */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is larger than 5 MiB, as sent or as decoded */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON, or has another encoding than gzip, br or zstd */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body or a parameter does not fit; `errors` says where */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listTokens: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccessTokenList"];
                };
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is nothing here, or nothing that the credential reaches */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The rate limit is reached; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createToken: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewAccessToken"];
            };
        };
        responses: {
            /** @description The answer */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RevealedAccessToken"];
                };
            };
            /** @description The body is not JSON, or not what its encoding says */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is nothing here, or nothing that the credential reaches */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request conflicts with what exists */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is larger than 5 MiB, as sent or as decoded */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON, or has another encoding than gzip, br or zstd */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body or a parameter does not fit; `errors` says where */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    revealToken: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project */
                id: string;
                /** @description The token */
                tokenId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RevealedAccessToken"];
                };
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is nothing here, or nothing that the credential reaches */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The rate limit is reached; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    revokeToken: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project */
                id: string;
                /** @description The token */
                tokenId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is nothing here, or nothing that the credential reaches */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listApiKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyList"];
                };
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The rate limit is reached; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewApiKey"];
            };
        };
        responses: {
            /** @description The answer */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RevealedApiKey"];
                };
            };
            /** @description The body is not JSON, or not what its encoding says */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request conflicts with what exists */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is larger than 5 MiB, as sent or as decoded */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON, or has another encoding than gzip, br or zstd */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body or a parameter does not fit; `errors` says where */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    revokeApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The API key */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is nothing here, or nothing that the credential reaches */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request conflicts with what exists */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listDeadLetters: {
        parameters: {
            query?: {
                /** @description Only of this project */
                project?: string;
                /** @description Items of a page, at most; pages of large visits end at 4 MiB */
                limit?: number;
                /** @description From an earlier answer */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeadLetterPage"];
                };
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is nothing here, or nothing that the credential reaches */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body or a parameter does not fit; `errors` says where */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The rate limit is reached; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The address and the headers are larger than 16 KiB together */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getDeadLetter: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The dead letter */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeadLetterWithBody"];
                };
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is nothing here, or nothing that the credential reaches */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The rate limit is reached; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    replayDeadLetters: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DeadLetterReplay"];
            };
        };
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeadLetterReplayResult"];
                };
            };
            /** @description The body is not JSON, or not what its encoding says */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is nothing here, or nothing that the credential reaches */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is larger than 5 MiB, as sent or as decoded */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON, or has another encoding than gzip, br or zstd */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body or a parameter does not fit; `errors` says where */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listAgents: {
        parameters: {
            query?: {
                /** @description Part of the token, the operator or the robots.txt token */
                search?: string;
                /** @description Type of the agent; repeated: one of them */
                type?: ("AI Agent" | "AI Assistant" | "AI Coding Agent" | "AI Data Provider" | "AI Data Scraper" | "AI Search Crawler" | "Archiver" | "Developer Helper" | "Fetcher" | "Automated Agent" | "Intelligence Gatherer" | "Scraper" | "SEO Crawler" | "Search Engine Crawler" | "Security Scanner" | "Undocumented AI Agent" | "Uncategorized")[];
                /** @description Behavior of the agent; repeated: one of them */
                behavior?: ("search" | "training" | "user_fetch" | "actions" | "link_preview" | "advertising" | "monitoring")[];
                /** @description Company behind the agent; repeated: one of them */
                operator?: string[];
                /** @description Where it came from */
                origin?: "bundled" | "feed" | "own";
                /** @description Items of a page, at most; pages of large visits end at 4 MiB */
                limit?: number;
                /** @description From an earlier answer */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    /** @description Its version, for `If-None-Match` */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentPage"];
                };
            };
            /** @description Unchanged since the version in `If-None-Match` */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body or a parameter does not fit; `errors` says where */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The rate limit is reached; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The address and the headers are larger than 16 KiB together */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The answer took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    addAgent: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AgentRecord"];
            };
        };
        responses: {
            /** @description The answer */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Agent"];
                };
            };
            /** @description The body is not JSON, or not what its encoding says */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request conflicts with what exists */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is larger than 5 MiB, as sent or as decoded */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON, or has another encoding than gzip, br or zstd */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body or a parameter does not fit; `errors` says where */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The answer took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getCatalog: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    /** @description Its version, for `If-None-Match` */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CatalogSummary"];
                };
            };
            /** @description Unchanged since the version in `If-None-Match` */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The rate limit is reached; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    exportAgents: {
        parameters: {
            query?: {
                /** @description Which of them */
                origin?: "own" | "all";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    /** @description Its version, for `If-None-Match` */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentExport"];
                };
            };
            /** @description Unchanged since the version in `If-None-Match` */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body or a parameter does not fit; `errors` says where */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The rate limit is reached; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The address and the headers are larger than 16 KiB together */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The answer took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    importAgents: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AgentImport"];
            };
        };
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentImportResult"];
                };
            };
            /** @description The body is not JSON, or not what its encoding says */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is larger than 5 MiB, as sent or as decoded */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON, or has another encoding than gzip, br or zstd */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body or a parameter does not fit; `errors` says where */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The answer took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getAgent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Token, ignoring case, or id of the agent */
                agent: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    /** @description Its version, for `If-Match` of a change */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Agent"];
                };
            };
            /** @description Unchanged since the version in `If-None-Match` */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is nothing here, or nothing that the credential reaches */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The rate limit is reached; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The answer took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    changeAgent: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of what was read, also as a proxy that compresses has changed it (`W/"…"`, `"…-gzip"`): 412 if somebody else has changed it since, with its values now as `current`. Without it, the last change wins. */
                "If-Match"?: string;
            };
            path: {
                /** @description Token, ignoring case, or id of the agent */
                agent: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AgentRecord"];
            };
        };
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    /** @description Its version, for `If-Match` of a change */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Agent"];
                };
            };
            /** @description The body is not JSON, or not what its encoding says */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is nothing here, or nothing that the credential reaches */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request conflicts with what exists */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Somebody else has changed it since; `current` has its values now */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is larger than 5 MiB, as sent or as decoded */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON, or has another encoding than gzip, br or zstd */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body or a parameter does not fit; `errors` says where */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The answer took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    removeAgent: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of what was read, also as a proxy that compresses has changed it (`W/"…"`, `"…-gzip"`): 412 if somebody else has changed it since, with its values now as `current`. Without it, the last change wins. */
                "If-Match"?: string;
            };
            path: {
                /** @description Token, ignoring case, or id of the agent */
                agent: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is nothing here, or nothing that the credential reaches */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request conflicts with what exists */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Somebody else has changed it since; `current` has its values now */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The answer took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    explainIdentification: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ExplanationRequest"];
            };
        };
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Explanation"];
                };
            };
            /** @description The body is not JSON, or not what its encoding says */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is nothing here, or nothing that the credential reaches */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is larger than 5 MiB, as sent or as decoded */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON, or has another encoding than gzip, br or zstd */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body or a parameter does not fit; `errors` says where */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The rate limit is reached; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The answer took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    signTestVisit: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewTestVisit"];
            };
        };
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TestVisit"];
                };
            };
            /** @description The body is not JSON, or not what its encoding says */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is larger than 5 MiB, as sent or as decoded */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON, or has another encoding than gzip, br or zstd */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body or a parameter does not fit; `errors` says where */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listAssistants: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    /** @description Its version, for `If-None-Match` */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AssistantList"];
                };
            };
            /** @description Unchanged since the version in `If-None-Match` */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The rate limit is reached; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The answer took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    addAssistant: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AssistantRecord"];
            };
        };
        responses: {
            /** @description The answer */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Assistant"];
                };
            };
            /** @description The body is not JSON, or not what its encoding says */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request conflicts with what exists */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is larger than 5 MiB, as sent or as decoded */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON, or has another encoding than gzip, br or zstd */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body or a parameter does not fit; `errors` says where */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The answer took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getAssistant: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name, ignoring case, or id of the assistant */
                assistant: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    /** @description Its version, for `If-Match` of a change */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Assistant"];
                };
            };
            /** @description Unchanged since the version in `If-None-Match` */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is nothing here, or nothing that the credential reaches */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The rate limit is reached; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The answer took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    changeAssistant: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of what was read, also as a proxy that compresses has changed it (`W/"…"`, `"…-gzip"`): 412 if somebody else has changed it since, with its values now as `current`. Without it, the last change wins. */
                "If-Match"?: string;
            };
            path: {
                /** @description Name, ignoring case, or id of the assistant */
                assistant: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AssistantRecord"];
            };
        };
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    /** @description Its version, for `If-Match` of a change */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Assistant"];
                };
            };
            /** @description The body is not JSON, or not what its encoding says */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is nothing here, or nothing that the credential reaches */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Somebody else has changed it since; `current` has its values now */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is larger than 5 MiB, as sent or as decoded */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON, or has another encoding than gzip, br or zstd */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body or a parameter does not fit; `errors` says where */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The answer took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    removeAssistant: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of what was read, also as a proxy that compresses has changed it (`W/"…"`, `"…-gzip"`): 412 if somebody else has changed it since, with its values now as `current`. Without it, the last change wins. */
                "If-Match"?: string;
            };
            path: {
                /** @description Name, ignoring case, or id of the assistant */
                assistant: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is nothing here, or nothing that the credential reaches */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request conflicts with what exists */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Somebody else has changed it since; `current` has its values now */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The answer took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listAgentFeeds: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentFeeds"];
                };
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The rate limit is reached; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The answer took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    addAgentFeed: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewAgentFeed"];
            };
        };
        responses: {
            /** @description The answer */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentFeed"];
                };
            };
            /** @description The body is not JSON, or not what its encoding says */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request conflicts with what exists */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is larger than 5 MiB, as sent or as decoded */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON, or has another encoding than gzip, br or zstd */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body or a parameter does not fit; `errors` says where */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The answer took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    removeAgentFeed: {
        parameters: {
            query?: {
                /** @description What becomes of agents that were accepted */
                agents?: "keep" | "remove";
            };
            header?: never;
            path: {
                /** @description The feed */
                feedId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is nothing here, or nothing that the credential reaches */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body or a parameter does not fit; `errors` says where */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The address and the headers are larger than 16 KiB together */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The answer took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    changeAgentFeed: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The feed */
                feedId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AgentFeedChange"];
            };
        };
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentFeed"];
                };
            };
            /** @description The body is not JSON, or not what its encoding says */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is nothing here, or nothing that the credential reaches */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request conflicts with what exists */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is larger than 5 MiB, as sent or as decoded */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON, or has another encoding than gzip, br or zstd */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body or a parameter does not fit; `errors` says where */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The answer took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    refreshAgentFeed: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The feed */
                feedId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentFeed"];
                };
            };
            /** @description The body is not JSON, or not what its encoding says */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is nothing here, or nothing that the credential reaches */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is larger than 5 MiB, as sent or as decoded */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON, or has another encoding than gzip, br or zstd */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body or a parameter does not fit; `errors` says where */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The answer took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listFeedAgents: {
        parameters: {
            query?: {
                /** @description Only those of this feed */
                feed_id?: string;
                /** @description What became of them */
                state?: "proposed" | "accepted" | "dismissed" | "known" | "refused";
                /** @description Items of a page, at most; pages of large visits end at 4 MiB */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FeedAgents"];
                };
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body or a parameter does not fit; `errors` says where */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The rate limit is reached; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The address and the headers are larger than 16 KiB together */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The answer took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    acceptFeedAgents: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FeedDecision"];
            };
        };
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FeedDecisionResult"];
                };
            };
            /** @description The body is not JSON, or not what its encoding says */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is nothing here, or nothing that the credential reaches */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is larger than 5 MiB, as sent or as decoded */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON, or has another encoding than gzip, br or zstd */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body or a parameter does not fit; `errors` says where */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The answer took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    dismissFeedAgents: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FeedDecision"];
            };
        };
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FeedDecisionResult"];
                };
            };
            /** @description The body is not JSON, or not what its encoding says */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is nothing here, or nothing that the credential reaches */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is larger than 5 MiB, as sent or as decoded */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON, or has another encoding than gzip, br or zstd */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body or a parameter does not fit; `errors` says where */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The answer took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    countProposalVisits: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProposalVisits"];
                };
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The rate limit is reached; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listProjectSummaries: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectSummaries"];
                };
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The rate limit is reached; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The answer took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getOverview: {
        parameters: {
            query?: {
                /** @description Not before this time, ISO 8601; default 24 hours before `to` */
                from?: string;
                /** @description Before this time, ISO 8601, at most 7305 days after `from`; default now */
                to?: string;
                /** @description Compare with as long a time from this one on, ISO 8601, or with `none`: then what it is compared with is empty; default: with the time right before `from` */
                compare_from?: string;
                /** @description Start of the request path; repeated: one of them */
                path?: string[];
                /** @description Token or id of the agent; repeated: one of them */
                agent?: string[];
                /** @description Result of the identification; repeated: one of them */
                result?: ("verified" | "verification_failed" | "not_verifiable" | "unknown_agent")[];
                /** @description Type of the agent; repeated: one of them */
                type?: ("AI Agent" | "AI Assistant" | "AI Coding Agent" | "AI Data Provider" | "AI Data Scraper" | "AI Search Crawler" | "Archiver" | "Developer Helper" | "Fetcher" | "Automated Agent" | "Intelligence Gatherer" | "Scraper" | "SEO Crawler" | "Search Engine Crawler" | "Security Scanner" | "Undocumented AI Agent" | "Uncategorized")[];
                /** @description Company behind the agent; repeated: one of them */
                operator?: string[];
                /** @description Whole request path, without its query; repeated: one of them */
                page?: string[];
                /** @description The client's address, or its network such as 192.0.2.0/24; repeated: one of them */
                address?: string[];
                /** @description Status of the response, such as 404, or a class, such as 4xx; repeated: one of them */
                status?: string[];
                /** @description What the site's robots.txt said about it; repeated: one of them */
                robots?: ("allowed" | "disallowed" | "no_rules" | "unreachable" | "unknown")[];
                /** @description AI assistant that sent the visitor; repeated: one of them */
                assistant?: string[];
                /** @description Whether a program made a visit of an unknown visitor; repeated: one of them */
                automation?: ("likely" | "unclear" | "unlikely")[];
                /** @description User agent without versions, as the list of unlisted programs has it; repeated: one of them */
                user_agent_group?: string[];
                /** @description Name of the MCP tool; repeated: one of them */
                mcp_tool?: string[];
                /** @description Kind of visit; repeated: one of them */
                kind?: ("page" | "mcp" | "acp" | "ucp")[];
                /** @description All but these. Start of the request path; repeated: none of them */
                not_path?: string[];
                /** @description All but these. Token or id of the agent; repeated: none of them */
                not_agent?: string[];
                /** @description All but these. Result of the identification; repeated: none of them */
                not_result?: ("verified" | "verification_failed" | "not_verifiable" | "unknown_agent")[];
                /** @description All but these. Type of the agent; repeated: none of them */
                not_type?: ("AI Agent" | "AI Assistant" | "AI Coding Agent" | "AI Data Provider" | "AI Data Scraper" | "AI Search Crawler" | "Archiver" | "Developer Helper" | "Fetcher" | "Automated Agent" | "Intelligence Gatherer" | "Scraper" | "SEO Crawler" | "Search Engine Crawler" | "Security Scanner" | "Undocumented AI Agent" | "Uncategorized")[];
                /** @description All but these. Company behind the agent; repeated: none of them */
                not_operator?: string[];
                /** @description All but these. Whole request path, without its query; repeated: none of them */
                not_page?: string[];
                /** @description All but these. The client's address, or its network such as 192.0.2.0/24; repeated: none of them */
                not_address?: string[];
                /** @description All but these. Status of the response, such as 404, or a class, such as 4xx; repeated: none of them */
                not_status?: string[];
                /** @description All but these. What the site's robots.txt said about it; repeated: none of them */
                not_robots?: ("allowed" | "disallowed" | "no_rules" | "unreachable" | "unknown")[];
                /** @description All but these. AI assistant that sent the visitor; repeated: none of them */
                not_assistant?: string[];
                /** @description All but these. Whether a program made a visit of an unknown visitor; repeated: none of them */
                not_automation?: ("likely" | "unclear" | "unlikely")[];
                /** @description All but these. User agent without versions, as the list of unlisted programs has it; repeated: none of them */
                not_user_agent_group?: string[];
                /** @description All but these. Name of the MCP tool; repeated: none of them */
                not_mcp_tool?: string[];
                /** @description All but these. Kind of visit; repeated: none of them */
                not_kind?: ("page" | "mcp" | "acp" | "ucp")[];
                /** @description Whose visits `top_pages` and `top_statuses` count: those of known agents, or all */
                visitors?: "agents" | "all";
            };
            header?: never;
            path: {
                /** @description The project */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Overview"];
                };
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is nothing here, or nothing that the credential reaches */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body or a parameter does not fit; `errors` says where */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The rate limit is reached; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The address and the headers are larger than 16 KiB together */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The answer took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getNews: {
        parameters: {
            query?: {
                /** @description Not before this time, ISO 8601; default 24 hours before `to` */
                from?: string;
                /** @description Before this time, ISO 8601, at most 7305 days after `from`; default now */
                to?: string;
                /** @description Compare with as long a time from this one on, ISO 8601, or with `none`: then what it is compared with is empty; default: with the time right before `from` */
                compare_from?: string;
            };
            header?: never;
            path: {
                /** @description The project */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["News"];
                };
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is nothing here, or nothing that the credential reaches */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body or a parameter does not fit; `errors` says where */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The rate limit is reached; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The address and the headers are larger than 16 KiB together */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The answer took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listVisitingAgents: {
        parameters: {
            query?: {
                /** @description Not before this time, ISO 8601; default 24 hours before `to` */
                from?: string;
                /** @description Before this time, ISO 8601, at most 7305 days after `from`; default now */
                to?: string;
                /** @description Compare with as long a time from this one on, ISO 8601, or with `none`: then what it is compared with is empty; default: with the time right before `from` */
                compare_from?: string;
                /** @description Part of the token or the operator */
                search?: string;
                /** @description Type of the agent; repeated: one of them */
                type?: ("AI Agent" | "AI Assistant" | "AI Coding Agent" | "AI Data Provider" | "AI Data Scraper" | "AI Search Crawler" | "Archiver" | "Developer Helper" | "Fetcher" | "Automated Agent" | "Intelligence Gatherer" | "Scraper" | "SEO Crawler" | "Search Engine Crawler" | "Security Scanner" | "Undocumented AI Agent" | "Uncategorized")[];
                /** @description Company behind the agent; repeated: one of them */
                operator?: string[];
                /** @description What they are sorted by */
                sort?: "visits" | "last_seen" | "token" | "type" | "operator" | "verified" | "spoofed";
                /** @description Smallest or largest first; by default names from A to Z, numbers and times from the largest */
                direction?: "ascending" | "descending";
                /** @description Items of a page, at most; pages of large visits end at 4 MiB */
                limit?: number;
                /** @description From an earlier answer */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description The project */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VisitingAgents"];
                };
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is nothing here, or nothing that the credential reaches */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body or a parameter does not fit; `errors` says where */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The rate limit is reached; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The address and the headers are larger than 16 KiB together */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The answer took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getVisitingAgent: {
        parameters: {
            query?: {
                /** @description Not before this time, ISO 8601; default 24 hours before `to` */
                from?: string;
                /** @description Before this time, ISO 8601, at most 7305 days after `from`; default now */
                to?: string;
                /** @description Compare with as long a time from this one on, ISO 8601, or with `none`: then what it is compared with is empty; default: with the time right before `from` */
                compare_from?: string;
            };
            header?: never;
            path: {
                /** @description The project */
                id: string;
                /** @description The agent: its `agent_id` in the list of agents that visit the project */
                agentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VisitingAgent"];
                };
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is nothing here, or nothing that the credential reaches */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body or a parameter does not fit; `errors` says where */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The rate limit is reached; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The address and the headers are larger than 16 KiB together */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The answer took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getVerification: {
        parameters: {
            query?: {
                /** @description Not before this time, ISO 8601; default 24 hours before `to` */
                from?: string;
                /** @description Before this time, ISO 8601, at most 7305 days after `from`; default now */
                to?: string;
            };
            header?: never;
            path: {
                /** @description The project */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VerificationOverview"];
                };
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is nothing here, or nothing that the credential reaches */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body or a parameter does not fit; `errors` says where */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The rate limit is reached; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The address and the headers are larger than 16 KiB together */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The answer took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getReferrals: {
        parameters: {
            query?: {
                /** @description Not before this time, ISO 8601; default 24 hours before `to` */
                from?: string;
                /** @description Before this time, ISO 8601, at most 7305 days after `from`; default now */
                to?: string;
                /** @description Compare with as long a time from this one on, ISO 8601, or with `none`: then what it is compared with is empty; default: with the time right before `from` */
                compare_from?: string;
            };
            header?: never;
            path: {
                /** @description The project */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Referrals"];
                };
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is nothing here, or nothing that the credential reaches */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body or a parameter does not fit; `errors` says where */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The rate limit is reached; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The address and the headers are larger than 16 KiB together */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The answer took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getHistogram: {
        parameters: {
            query?: {
                /** @description Start of the request path; repeated: one of them */
                path?: string[];
                /** @description Token or id of the agent; repeated: one of them */
                agent?: string[];
                /** @description Result of the identification; repeated: one of them */
                result?: ("verified" | "verification_failed" | "not_verifiable" | "unknown_agent")[];
                /** @description Type of the agent; repeated: one of them */
                type?: ("AI Agent" | "AI Assistant" | "AI Coding Agent" | "AI Data Provider" | "AI Data Scraper" | "AI Search Crawler" | "Archiver" | "Developer Helper" | "Fetcher" | "Automated Agent" | "Intelligence Gatherer" | "Scraper" | "SEO Crawler" | "Search Engine Crawler" | "Security Scanner" | "Undocumented AI Agent" | "Uncategorized")[];
                /** @description Company behind the agent; repeated: one of them */
                operator?: string[];
                /** @description Whole request path, without its query; repeated: one of them */
                page?: string[];
                /** @description The client's address, or its network such as 192.0.2.0/24; repeated: one of them */
                address?: string[];
                /** @description Status of the response, such as 404, or a class, such as 4xx; repeated: one of them */
                status?: string[];
                /** @description What the site's robots.txt said about it; repeated: one of them */
                robots?: ("allowed" | "disallowed" | "no_rules" | "unreachable" | "unknown")[];
                /** @description AI assistant that sent the visitor; repeated: one of them */
                assistant?: string[];
                /** @description Whether a program made a visit of an unknown visitor; repeated: one of them */
                automation?: ("likely" | "unclear" | "unlikely")[];
                /** @description User agent without versions, as the list of unlisted programs has it; repeated: one of them */
                user_agent_group?: string[];
                /** @description Name of the MCP tool; repeated: one of them */
                mcp_tool?: string[];
                /** @description Kind of visit; repeated: one of them */
                kind?: ("page" | "mcp" | "acp" | "ucp")[];
                /** @description All but these. Start of the request path; repeated: none of them */
                not_path?: string[];
                /** @description All but these. Token or id of the agent; repeated: none of them */
                not_agent?: string[];
                /** @description All but these. Result of the identification; repeated: none of them */
                not_result?: ("verified" | "verification_failed" | "not_verifiable" | "unknown_agent")[];
                /** @description All but these. Type of the agent; repeated: none of them */
                not_type?: ("AI Agent" | "AI Assistant" | "AI Coding Agent" | "AI Data Provider" | "AI Data Scraper" | "AI Search Crawler" | "Archiver" | "Developer Helper" | "Fetcher" | "Automated Agent" | "Intelligence Gatherer" | "Scraper" | "SEO Crawler" | "Search Engine Crawler" | "Security Scanner" | "Undocumented AI Agent" | "Uncategorized")[];
                /** @description All but these. Company behind the agent; repeated: none of them */
                not_operator?: string[];
                /** @description All but these. Whole request path, without its query; repeated: none of them */
                not_page?: string[];
                /** @description All but these. The client's address, or its network such as 192.0.2.0/24; repeated: none of them */
                not_address?: string[];
                /** @description All but these. Status of the response, such as 404, or a class, such as 4xx; repeated: none of them */
                not_status?: string[];
                /** @description All but these. What the site's robots.txt said about it; repeated: none of them */
                not_robots?: ("allowed" | "disallowed" | "no_rules" | "unreachable" | "unknown")[];
                /** @description All but these. AI assistant that sent the visitor; repeated: none of them */
                not_assistant?: string[];
                /** @description All but these. Whether a program made a visit of an unknown visitor; repeated: none of them */
                not_automation?: ("likely" | "unclear" | "unlikely")[];
                /** @description All but these. User agent without versions, as the list of unlisted programs has it; repeated: none of them */
                not_user_agent_group?: string[];
                /** @description All but these. Name of the MCP tool; repeated: none of them */
                not_mcp_tool?: string[];
                /** @description All but these. Kind of visit; repeated: none of them */
                not_kind?: ("page" | "mcp" | "acp" | "ucp")[];
            };
            header?: never;
            path: {
                /** @description The project */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Histogram"];
                };
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is nothing here, or nothing that the credential reaches */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body or a parameter does not fit; `errors` says where */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The rate limit is reached; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The address and the headers are larger than 16 KiB together */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The answer took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listSeenAgents: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SeenAgents"];
                };
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The rate limit is reached; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The answer took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getTools: {
        parameters: {
            query?: {
                /** @description Not before this time, ISO 8601; default 24 hours before `to` */
                from?: string;
                /** @description Before this time, ISO 8601, at most 7305 days after `from`; default now */
                to?: string;
            };
            header?: never;
            path: {
                /** @description The project */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ToolsReport"];
                };
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is nothing here, or nothing that the credential reaches */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body or a parameter does not fit; `errors` says where */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The rate limit is reached; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The address and the headers are larger than 16 KiB together */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The answer took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getCompliance: {
        parameters: {
            query?: {
                /** @description Not before this time, ISO 8601; default 24 hours before `to` */
                from?: string;
                /** @description Before this time, ISO 8601, at most 7305 days after `from`; default now */
                to?: string;
            };
            header?: never;
            path: {
                /** @description The project */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Compliance"];
                };
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is nothing here, or nothing that the credential reaches */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body or a parameter does not fit; `errors` says where */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The rate limit is reached; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The address and the headers are larger than 16 KiB together */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The answer took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getDisregarded: {
        parameters: {
            query?: {
                /** @description Not before this time, ISO 8601; default 24 hours before `to` */
                from?: string;
                /** @description Before this time, ISO 8601, at most 7305 days after `from`; default now */
                to?: string;
            };
            header?: never;
            path: {
                /** @description The project */
                id: string;
                /** @description The agent: its `agent_id` in the list of agents that visit the project */
                agentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Disregarded"];
                };
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is nothing here, or nothing that the credential reaches */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body or a parameter does not fit; `errors` says where */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The rate limit is reached; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The address and the headers are larger than 16 KiB together */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The answer took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    sendTestVisit: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewSiteTestVisit"];
            };
        };
        responses: {
            /** @description The answer */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SiteTestVisit"];
                };
            };
            /** @description The body is not JSON, or not what its encoding says */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is nothing here, or nothing that the credential reaches */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request conflicts with what exists */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is larger than 5 MiB, as sent or as decoded */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON, or has another encoding than gzip, br or zstd */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body or a parameter does not fit; `errors` says where */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The rate limit is reached; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getTestVisit: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project */
                id: string;
                /** @description The test visit */
                testVisitId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SiteTestVisit"];
                };
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is nothing here, or nothing that the credential reaches */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The rate limit is reached; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    sendSampleVisit: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewSampleVisit"];
            };
        };
        responses: {
            /** @description The answer */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SampleVisit"];
                };
            };
            /** @description The body is not JSON, or not what its encoding says */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is nothing here, or nothing that the credential reaches */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is larger than 5 MiB, as sent or as decoded */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON, or has another encoding than gzip, br or zstd */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body or a parameter does not fit; `errors` says where */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The rate limit is reached; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listRefusedRequests: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RefusedRequestList"];
                };
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is nothing here, or nothing that the credential reaches */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The rate limit is reached; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listUnknownTokenRequests: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RefusedRequestList"];
                };
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The rate limit is reached; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getVisitorPath: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VisitorPath"];
                };
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is nothing here, or nothing that the credential reaches */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The rate limit is reached; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listDrains: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DrainList"];
                };
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is nothing here, or nothing that the credential reaches */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The rate limit is reached; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getDrainSettings: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    /** @description Its version, for `If-Match` of a change */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DrainSettings"];
                };
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is nothing here, or nothing that the credential reaches */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The rate limit is reached; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    changeDrainSettings: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of what was read, also as a proxy that compresses has changed it (`W/"…"`, `"…-gzip"`): 412 if somebody else has changed it since, with its values now as `current`. Without it, the last change wins. */
                "If-Match"?: string;
            };
            path: {
                /** @description The project */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DrainSettingsChange"];
            };
        };
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    /** @description Its version, for `If-Match` of a change */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DrainSettings"];
                };
            };
            /** @description The body is not JSON, or not what its encoding says */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is nothing here, or nothing that the credential reaches */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Somebody else has changed it since; `current` has its values now */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is larger than 5 MiB, as sent or as decoded */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON, or has another encoding than gzip, br or zstd */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body or a parameter does not fit; `errors` says where */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getDemo: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Demo"];
                };
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The rate limit is reached; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    loadDemo: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewDemo"];
            };
        };
        responses: {
            /** @description The answer */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Demo"];
                };
            };
            /** @description The body is not JSON, or not what its encoding says */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request conflicts with what exists */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is larger than 5 MiB, as sent or as decoded */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON, or has another encoding than gzip, br or zstd */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body or a parameter does not fit; `errors` says where */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    signIn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SignIn"];
            };
        };
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    /** @description The session's cookie */
                    "Set-Cookie"?: string;
                    /** @description Seconds, with 429 */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignInAnswer"];
                };
            };
            /** @description The body is not JSON, or not what its encoding says */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is larger than 16 KiB */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON, or has a content encoding */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body or a parameter does not fit; `errors` says where */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The rate limit is reached; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    signOut: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    /** @description Seconds, with 429 */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The rate limit is reached; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    confirmSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Confirmation"];
            };
        };
        responses: {
            /** @description Done */
            204: {
                headers: {
                    /** @description Seconds, with 429 */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The body is not JSON, or not what its encoding says */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request conflicts with what exists */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is larger than 5 MiB, as sent or as decoded */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON, or has another encoding than gzip, br or zstd */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body or a parameter does not fit; `errors` says where */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The rate limit is reached; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    changePassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasswordChange"];
            };
        };
        responses: {
            /** @description Done */
            204: {
                headers: {
                    /** @description The session's cookie */
                    "Set-Cookie"?: string;
                    /** @description Seconds, with 429 */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The body is not JSON, or not what its encoding says */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request conflicts with what exists */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is larger than 5 MiB, as sent or as decoded */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON, or has another encoding than gzip, br or zstd */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body or a parameter does not fit; `errors` says where */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The rate limit is reached; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    startOidcSignIn: {
        parameters: {
            query?: {
                /** @description Path of the dashboard to go to afterwards */
                return_to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Go there */
            302: {
                headers: {
                    /** @description The provider's page */
                    Location?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is nothing here, or nothing that the credential reaches */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body or a parameter does not fit; `errors` says where */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The rate limit is reached; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The address and the headers are larger than 16 KiB together */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    finishOidcSignIn: {
        parameters: {
            query?: {
                /** @description What the sign-in is finished with */
                code?: string;
                /** @description What the sign-in was started with */
                state?: string;
                /** @description Why there is no code */
                error?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Go there */
            302: {
                headers: {
                    /** @description A page of the dashboard; `/sign-in?error=…` where it was refused: cancelled, email_missing, email_not_verified, expired, failed, not_confirmed, not_invited, other_identity, provider_unreachable, or second_factor */
                    Location?: string;
                    /** @description The session's cookie */
                    "Set-Cookie"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is nothing here, or nothing that the credential reaches */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body or a parameter does not fit; `errors` says where */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The rate limit is reached; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The address and the headers are larger than 16 KiB together */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    setUp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Setup"];
            };
        };
        responses: {
            /** @description The answer */
            201: {
                headers: {
                    /** @description The session's cookie */
                    "Set-Cookie"?: string;
                    /** @description Seconds, with 429 */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignedIn"];
                };
            };
            /** @description The body is not JSON, or not what its encoding says */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request conflicts with what exists */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is larger than 16 KiB */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON, or has a content encoding */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body or a parameter does not fit; `errors` says where */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The rate limit is reached; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createSetupCode: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewSetupCode"];
            };
        };
        responses: {
            /** @description The answer */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SetupCode"];
                };
            };
            /** @description The body is not JSON, or not what its encoding says */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request conflicts with what exists */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is larger than 5 MiB, as sent or as decoded */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON, or has another encoding than gzip, br or zstd */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body or a parameter does not fit; `errors` says where */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listMembers: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemberList"];
                };
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is nothing here, or nothing that the credential reaches */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The rate limit is reached; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    removeMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project */
                id: string;
                /** @description The member */
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is nothing here, or nothing that the credential reaches */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request conflicts with what exists */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    changeMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project */
                id: string;
                /** @description The member */
                userId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RoleChange"];
            };
        };
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Member"];
                };
            };
            /** @description The body is not JSON, or not what its encoding says */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is nothing here, or nothing that the credential reaches */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request conflicts with what exists */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is larger than 5 MiB, as sent or as decoded */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON, or has another encoding than gzip, br or zstd */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body or a parameter does not fit; `errors` says where */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RoleChange"];
            };
        };
        responses: {
            /** @description The answer */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RevealedInvitation"];
                };
            };
            /** @description The body is not JSON, or not what its encoding says */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is nothing here, or nothing that the credential reaches */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request conflicts with what exists */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is larger than 5 MiB, as sent or as decoded */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON, or has another encoding than gzip, br or zstd */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body or a parameter does not fit; `errors` says where */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    revokeInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project */
                id: string;
                /** @description The invitation */
                invitationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is nothing here, or nothing that the credential reaches */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description From the address of the invitation */
                token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenInvitation"];
                };
            };
            /** @description There is nothing here, or nothing that the credential reaches */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    acceptInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description From the address of the invitation */
                token: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Acceptance"];
            };
        };
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    /** @description The session's cookie */
                    "Set-Cookie"?: string;
                    /** @description Seconds, with 429 */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Accepted"];
                };
            };
            /** @description The body is not JSON, or not what its encoding says */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is nothing here, or nothing that the credential reaches */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request conflicts with what exists */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is larger than 16 KiB */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON, or has a content encoding */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body or a parameter does not fit; `errors` says where */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The rate limit is reached; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getOwnAccount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OwnAccount"];
                };
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The rate limit is reached; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    changeOwnAccount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OwnAccountChange"];
            };
        };
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    /** @description By which this browser is recognized */
                    "Set-Cookie"?: string;
                    /** @description Seconds, with 429 */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignedIn"];
                };
            };
            /** @description The body is not JSON, or not what its encoding says */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request conflicts with what exists */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is larger than 5 MiB, as sent or as decoded */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON, or has another encoding than gzip, br or zstd */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body or a parameter does not fit; `errors` says where */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The rate limit is reached; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    endOwnSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The session */
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is nothing here, or nothing that the credential reaches */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listOwnApiKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyList"];
                };
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The rate limit is reached; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createOwnApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewApiKey"];
            };
        };
        responses: {
            /** @description The answer */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RevealedApiKey"];
                };
            };
            /** @description The body is not JSON, or not what its encoding says */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request conflicts with what exists */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is larger than 5 MiB, as sent or as decoded */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON, or has another encoding than gzip, br or zstd */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body or a parameter does not fit; `errors` says where */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    revokeOwnApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The API key */
                keyId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is nothing here, or nothing that the credential reaches */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    finishSignIn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SecondFactorCode"];
            };
        };
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    /** @description The session's cookie */
                    "Set-Cookie"?: string;
                    /** @description Seconds, with 429 */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignedIn"];
                };
            };
            /** @description The body is not JSON, or not what its encoding says */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is larger than 16 KiB */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON, or has a content encoding */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body or a parameter does not fit; `errors` says where */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The rate limit is reached; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    activateSecondFactor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SecondFactorCode"];
            };
        };
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    /** @description Seconds, with 429 */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecoveryCodes"];
                };
            };
            /** @description The body is not JSON, or not what its encoding says */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request conflicts with what exists */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is larger than 5 MiB, as sent or as decoded */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON, or has another encoding than gzip, br or zstd */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body or a parameter does not fit; `errors` says where */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The rate limit is reached; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    beginSecondFactor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description The answer */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewSecondFactor"];
                };
            };
            /** @description The body is not JSON, or not what its encoding says */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request conflicts with what exists */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is larger than 5 MiB, as sent or as decoded */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON, or has another encoding than gzip, br or zstd */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body or a parameter does not fit; `errors` says where */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    removeOwnSecondFactor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is nothing here, or nothing that the credential reaches */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    replaceRecoveryCodes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description The answer */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecoveryCodes"];
                };
            };
            /** @description The body is not JSON, or not what its encoding says */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is nothing here, or nothing that the credential reaches */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is larger than 5 MiB, as sent or as decoded */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON, or has another encoding than gzip, br or zstd */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body or a parameter does not fit; `errors` says where */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    removeSecondFactor: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The account */
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is nothing here, or nothing that the credential reaches */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    beginPasskeySignIn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    /** @description What the answer of the device belongs to */
                    "Set-Cookie"?: string;
                    /** @description Seconds, with 429 */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasskeyOptions"];
                };
            };
            /** @description The body is not JSON, or not what its encoding says */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request conflicts with what exists */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is larger than 16 KiB */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON, or has a content encoding */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body or a parameter does not fit; `errors` says where */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The rate limit is reached; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    signInWithPasskey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasskeySignIn"];
            };
        };
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    /** @description The session's cookie */
                    "Set-Cookie"?: string;
                    /** @description Seconds, with 429 */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignedIn"];
                };
            };
            /** @description The body is not JSON, or not what its encoding says */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request conflicts with what exists */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is larger than 16 KiB */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON, or has a content encoding */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body or a parameter does not fit; `errors` says where */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The rate limit is reached; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    beginPasskey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    /** @description What the answer of the device belongs to */
                    "Set-Cookie"?: string;
                    /** @description Seconds, with 429 */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasskeyOptions"];
                };
            };
            /** @description The body is not JSON, or not what its encoding says */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request conflicts with what exists */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is larger than 5 MiB, as sent or as decoded */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON, or has another encoding than gzip, br or zstd */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body or a parameter does not fit; `errors` says where */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createPasskey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewPasskey"];
            };
        };
        responses: {
            /** @description The answer */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Passkey"];
                };
            };
            /** @description The body is not JSON, or not what its encoding says */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request conflicts with what exists */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is larger than 5 MiB, as sent or as decoded */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON, or has another encoding than gzip, br or zstd */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body or a parameter does not fit; `errors` says where */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    removePasskey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The passkey */
                passkeyId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is nothing here, or nothing that the credential reaches */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    renamePasskey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The passkey */
                passkeyId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasskeyName"];
            };
        };
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The body is not JSON, or not what its encoding says */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is nothing here, or nothing that the credential reaches */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is larger than 5 MiB, as sent or as decoded */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON, or has another encoding than gzip, br or zstd */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body or a parameter does not fit; `errors` says where */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    removePasskeys: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The account */
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is nothing here, or nothing that the credential reaches */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getReportSettings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReportSettings"];
                };
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The rate limit is reached; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    changeReportSettings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReportSettingsChange"];
            };
        };
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReportSettings"];
                };
            };
            /** @description The body is not JSON, or not what its encoding says */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is larger than 5 MiB, as sent or as decoded */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON, or has another encoding than gzip, br or zstd */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body or a parameter does not fit; `errors` says where */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    showUnsubscription: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Of the link in a report */
                unsubscription: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Go there */
            302: {
                headers: {
                    /** @description A page of the dashboard */
                    Location?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    unsubscribe: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Of the link in a report */
                unsubscription: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The rate limit is reached; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listSavedFilters: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SavedFilterList"];
                };
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is nothing here, or nothing that the credential reaches */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The rate limit is reached; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createSavedFilter: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewSavedFilter"];
            };
        };
        responses: {
            /** @description The answer */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SavedFilter"];
                };
            };
            /** @description The body is not JSON, or not what its encoding says */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is nothing here, or nothing that the credential reaches */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request conflicts with what exists */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is larger than 5 MiB, as sent or as decoded */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON, or has another encoding than gzip, br or zstd */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body or a parameter does not fit; `errors` says where */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteSavedFilter: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project */
                id: string;
                /** @description The saved filter */
                filterId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is nothing here, or nothing that the credential reaches */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    renameSavedFilter: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project */
                id: string;
                /** @description The saved filter */
                filterId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SavedFilterChange"];
            };
        };
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SavedFilter"];
                };
            };
            /** @description The body is not JSON, or not what its encoding says */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is nothing here, or nothing that the credential reaches */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request conflicts with what exists */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is larger than 5 MiB, as sent or as decoded */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON, or has another encoding than gzip, br or zstd */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body or a parameter does not fit; `errors` says where */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listSharedLinks: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SharedLinkList"];
                };
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is nothing here, or nothing that the credential reaches */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The rate limit is reached; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createSharedLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewSharedLink"];
            };
        };
        responses: {
            /** @description The answer */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RevealedSharedLink"];
                };
            };
            /** @description The body is not JSON, or not what its encoding says */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is nothing here, or nothing that the credential reaches */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request conflicts with what exists */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is larger than 5 MiB, as sent or as decoded */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON, or has another encoding than gzip, br or zstd */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body or a parameter does not fit; `errors` says where */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The rate limit is reached; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    revokeSharedLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project */
                id: string;
                /** @description The shared link */
                linkId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is nothing here, or nothing that the credential reaches */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    openSharedLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description From the address of the link */
                secret: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SharedPassword"];
            };
        };
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    /** @description Seconds, with 429 */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SharedPass"];
                };
            };
            /** @description The body is not JSON, or not what its encoding says */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is nothing here, or nothing that the credential reaches */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request conflicts with what exists */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is larger than 16 KiB */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON, or has a content encoding */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body or a parameter does not fit; `errors` says where */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The rate limit is reached; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getSharedOverview: {
        parameters: {
            query?: {
                /** @description How much time, up to now */
                range?: "24h" | "7d" | "30d" | "90d";
            };
            header?: {
                /** @description The pass, for a link with a password */
                "x-shared-pass"?: string;
            };
            path: {
                /** @description From the address of the link */
                secret: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SharedOverview"];
                };
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is nothing here, or nothing that the credential reaches */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body or a parameter does not fit; `errors` says where */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The rate limit is reached; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The address and the headers are larger than 16 KiB together */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The answer took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getSharedBadge: {
        parameters: {
            query?: never;
            header?: {
                /** @description The pass, for a link with a password */
                "x-shared-pass"?: string;
            };
            path: {
                /** @description From the address of the badge */
                badge: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/svg+xml": string;
                };
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is nothing here, or nothing that the credential reaches */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The rate limit is reached; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The answer took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listChartNotes: {
        parameters: {
            query?: {
                /** @description Not before this time, ISO 8601; default 24 hours before `to` */
                from?: string;
                /** @description Before this time, ISO 8601, at most 7305 days after `from`; default now */
                to?: string;
            };
            header?: never;
            path: {
                /** @description The project */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChartNotes"];
                };
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is nothing here, or nothing that the credential reaches */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body or a parameter does not fit; `errors` says where */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The rate limit is reached; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The address and the headers are larger than 16 KiB together */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createChartNote: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewChartNote"];
            };
        };
        responses: {
            /** @description The answer */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChartNote"];
                };
            };
            /** @description The body is not JSON, or not what its encoding says */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is nothing here, or nothing that the credential reaches */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request conflicts with what exists */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is larger than 5 MiB, as sent or as decoded */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON, or has another encoding than gzip, br or zstd */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body or a parameter does not fit; `errors` says where */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteChartNote: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project */
                id: string;
                /** @description The note */
                noteId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is nothing here, or nothing that the credential reaches */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    changeChartNote: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project */
                id: string;
                /** @description The note */
                noteId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChartNoteChange"];
            };
        };
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChartNote"];
                };
            };
            /** @description The body is not JSON, or not what its encoding says */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is nothing here, or nothing that the credential reaches */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is larger than 5 MiB, as sent or as decoded */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON, or has another encoding than gzip, br or zstd */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body or a parameter does not fit; `errors` says where */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listAlerts: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlertList"];
                };
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is nothing here, or nothing that the credential reaches */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The rate limit is reached; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createAlert: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewAlert"];
            };
        };
        responses: {
            /** @description The answer */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Alert"];
                };
            };
            /** @description The body is not JSON, or not what its encoding says */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is nothing here, or nothing that the credential reaches */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request conflicts with what exists */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is larger than 5 MiB, as sent or as decoded */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON, or has another encoding than gzip, br or zstd */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body or a parameter does not fit; `errors` says where */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteAlert: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project */
                id: string;
                /** @description The alert */
                alertId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is nothing here, or nothing that the credential reaches */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    changeAlert: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project */
                id: string;
                /** @description The alert */
                alertId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AlertChange"];
            };
        };
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Alert"];
                };
            };
            /** @description The body is not JSON, or not what its encoding says */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is nothing here, or nothing that the credential reaches */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is larger than 5 MiB, as sent or as decoded */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON, or has another encoding than gzip, br or zstd */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body or a parameter does not fit; `errors` says where */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    previewAlert: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewAlert"];
            };
        };
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlertPreview"];
                };
            };
            /** @description The body is not JSON, or not what its encoding says */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is nothing here, or nothing that the credential reaches */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is larger than 5 MiB, as sent or as decoded */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON, or has another encoding than gzip, br or zstd */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body or a parameter does not fit; `errors` says where */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The rate limit is reached; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The answer took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listAlertEvents: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlertEventList"];
                };
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is nothing here, or nothing that the credential reaches */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The rate limit is reached; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listAlertChannels: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlertChannelList"];
                };
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is nothing here, or nothing that the credential reaches */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The rate limit is reached; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createAlertChannel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewAlertChannel"];
            };
        };
        responses: {
            /** @description The answer */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlertChannel"];
                };
            };
            /** @description The body is not JSON, or not what its encoding says */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is nothing here, or nothing that the credential reaches */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request conflicts with what exists */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is larger than 5 MiB, as sent or as decoded */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON, or has another encoding than gzip, br or zstd */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body or a parameter does not fit; `errors` says where */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteAlertChannel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project */
                id: string;
                /** @description The channel */
                channelId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is nothing here, or nothing that the credential reaches */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    changeAlertChannel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project */
                id: string;
                /** @description The channel */
                channelId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AlertChannelChange"];
            };
        };
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlertChannel"];
                };
            };
            /** @description The body is not JSON, or not what its encoding says */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is nothing here, or nothing that the credential reaches */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is larger than 5 MiB, as sent or as decoded */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON, or has another encoding than gzip, br or zstd */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body or a parameter does not fit; `errors` says where */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    testAlertChannel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project */
                id: string;
                /** @description The channel */
                channelId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewAttempt"];
            };
        };
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlertDelivery"];
                };
            };
            /** @description The body is not JSON, or not what its encoding says */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is nothing here, or nothing that the credential reaches */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is larger than 5 MiB, as sent or as decoded */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON, or has another encoding than gzip, br or zstd */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body or a parameter does not fit; `errors` says where */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The rate limit is reached; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    resendMailConfirmations: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project */
                id: string;
                /** @description The channel */
                channelId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewAttempt"];
            };
        };
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The body is not JSON, or not what its encoding says */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is nothing here, or nothing that the credential reaches */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is larger than 5 MiB, as sent or as decoded */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON, or has another encoding than gzip, br or zstd */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body or a parameter does not fit; `errors` says where */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The rate limit is reached; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    showMailRecipient: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description From the link in the mail */
                recipient: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Go there */
            302: {
                headers: {
                    /** @description A page of the dashboard */
                    Location?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    stopMailRecipient: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description From the link in the mail */
                recipient: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The rate limit is reached; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    confirmMailRecipient: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description From the link in the mail */
                recipient: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewAttempt"];
            };
        };
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The body is not JSON, or not what its encoding says */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is nothing here, or nothing that the credential reaches */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is larger than 16 KiB */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON, or has a content encoding */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body or a parameter does not fit; `errors` says where */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The rate limit is reached; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    revealWebhookSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project */
                id: string;
                /** @description The channel */
                channelId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookSecret"];
                };
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is nothing here, or nothing that the credential reaches */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The rate limit is reached; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project */
                id: string;
                /** @description The channel */
                channelId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewWebhookSecret"];
            };
        };
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookSecret"];
                };
            };
            /** @description The body is not JSON, or not what its encoding says */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is nothing here, or nothing that the credential reaches */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is larger than 5 MiB, as sent or as decoded */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON, or has another encoding than gzip, br or zstd */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body or a parameter does not fit; `errors` says where */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listAlertDeliveries: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlertDeliveryList"];
                };
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is nothing here, or nothing that the credential reaches */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The rate limit is reached; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    replayAlertDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project */
                id: string;
                /** @description The delivery */
                deliveryId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewAttempt"];
            };
        };
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlertDelivery"];
                };
            };
            /** @description The body is not JSON, or not what its encoding says */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is nothing here, or nothing that the credential reaches */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request conflicts with what exists */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is larger than 5 MiB, as sent or as decoded */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON, or has another encoding than gzip, br or zstd */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body or a parameter does not fit; `errors` says where */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The rate limit is reached; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getUnlisted: {
        parameters: {
            query?: {
                /** @description Not before this time, ISO 8601; default 24 hours before `to` */
                from?: string;
                /** @description Before this time, ISO 8601, at most 7305 days after `from`; default now */
                to?: string;
                /** @description Whether a program made the visits that are counted; repeated: one of them */
                automation?: ("likely" | "unclear")[];
            };
            header?: never;
            path: {
                /** @description The project */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unlisted"];
                };
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is nothing here, or nothing that the credential reaches */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body or a parameter does not fit; `errors` says where */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The rate limit is reached; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The address and the headers are larger than 16 KiB together */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The answer took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    tryPatterns: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PatternTrial"];
            };
        };
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PatternTrialResult"];
                };
            };
            /** @description The body is not JSON, or not what its encoding says */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is nothing here, or nothing that the credential reaches */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is larger than 5 MiB, as sent or as decoded */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON, or has another encoding than gzip, br or zstd */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body or a parameter does not fit; `errors` says where */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The rate limit is reached; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The answer took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listDismissedUserAgents: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DismissedUserAgents"];
                };
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is nothing here, or nothing that the credential reaches */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The rate limit is reached; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    dismissUserAgent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewDismissedUserAgent"];
            };
        };
        responses: {
            /** @description The answer */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DismissedUserAgent"];
                };
            };
            /** @description The body is not JSON, or not what its encoding says */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is nothing here, or nothing that the credential reaches */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request conflicts with what exists */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is larger than 5 MiB, as sent or as decoded */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON, or has another encoding than gzip, br or zstd */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body or a parameter does not fit; `errors` says where */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    restoreUserAgent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project */
                id: string;
                /** @description The dismissed user agent */
                dismissedId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is nothing here, or nothing that the credential reaches */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listReidentifications: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Reidentifications"];
                };
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is nothing here, or nothing that the credential reaches */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The rate limit is reached; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createReidentification: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewReidentification"];
            };
        };
        responses: {
            /** @description The answer */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Reidentification"];
                };
            };
            /** @description The body is not JSON, or not what its encoding says */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is nothing here, or nothing that the credential reaches */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request conflicts with what exists */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is larger than 5 MiB, as sent or as decoded */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON, or has another encoding than gzip, br or zstd */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body or a parameter does not fit; `errors` says where */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getReidentification: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project */
                id: string;
                /** @description The re-identification */
                reidentificationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Reidentification"];
                };
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is nothing here, or nothing that the credential reaches */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The rate limit is reached; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    changeReidentification: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project */
                id: string;
                /** @description The re-identification */
                reidentificationId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReidentificationChange"];
            };
        };
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Reidentification"];
                };
            };
            /** @description The body is not JSON, or not what its encoding says */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is nothing here, or nothing that the credential reaches */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request conflicts with what exists */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is larger than 5 MiB, as sent or as decoded */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON, or has another encoding than gzip, br or zstd */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body or a parameter does not fit; `errors` says where */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    renderRules: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RulesSelection"];
            };
        };
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectRules"];
                };
            };
            /** @description The body is not JSON, or not what its encoding says */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is nothing here, or nothing that the credential reaches */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is larger than 5 MiB, as sent or as decoded */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON, or has another encoding than gzip, br or zstd */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body or a parameter does not fit; `errors` says where */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The rate limit is reached; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The answer took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    tryRules: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RulesTrialRequest"];
            };
        };
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RulesTrial"];
                };
            };
            /** @description The body is not JSON, or not what its encoding says */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is nothing here, or nothing that the credential reaches */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is larger than 5 MiB, as sent or as decoded */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON, or has another encoding than gzip, br or zstd */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body or a parameter does not fit; `errors` says where */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The rate limit is reached; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The answer took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listRulesVersions: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    /** @description Its version, for `If-Match` of a change */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RulesVersionList"];
                };
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is nothing here, or nothing that the credential reaches */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The rate limit is reached; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    saveRulesVersion: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of what was read, also as a proxy that compresses has changed it (`W/"…"`, `"…-gzip"`): 412 if somebody else has changed it since, with its values now as `current`. Without it, the last change wins. */
                "If-Match"?: string;
            };
            path: {
                /** @description The project */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RulesSelection"];
            };
        };
        responses: {
            /** @description The answer */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RulesVersion"];
                };
            };
            /** @description The body is not JSON, or not what its encoding says */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is nothing here, or nothing that the credential reaches */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Somebody else has changed it since; `current` has its values now */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is larger than 5 MiB, as sent or as decoded */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON, or has another encoding than gzip, br or zstd */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body or a parameter does not fit; `errors` says where */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The answer took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getRulesVersion: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project */
                id: string;
                /** @description The version */
                versionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RulesVersion"];
                };
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is nothing here, or nothing that the credential reaches */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The rate limit is reached; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listRobotsVersions: {
        parameters: {
            query?: {
                /** @description Only of this host */
                host?: string;
                /** @description Items of a page, at most; pages of large visits end at 4 MiB */
                limit?: number;
                /** @description From an earlier answer */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description The project */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RobotsVersionPage"];
                };
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is nothing here, or nothing that the credential reaches */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body or a parameter does not fit; `errors` says where */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The rate limit is reached; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The address and the headers are larger than 16 KiB together */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    recordRobotsVersion: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewRobotsVersion"];
            };
        };
        responses: {
            /** @description The answer */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RobotsVersion"];
                };
            };
            /** @description The body is not JSON, or not what its encoding says */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is nothing here, or nothing that the credential reaches */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request conflicts with what exists */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is larger than 5 MiB, as sent or as decoded */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON, or has another encoding than gzip, br or zstd */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body or a parameter does not fit; `errors` says where */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    refreshRobotsVersions: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RobotsRefresh"];
            };
        };
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RobotsHostList"];
                };
            };
            /** @description The body is not JSON, or not what its encoding says */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is nothing here, or nothing that the credential reaches */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is larger than 5 MiB, as sent or as decoded */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON, or has another encoding than gzip, br or zstd */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body or a parameter does not fit; `errors` says where */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getRobotsVersion: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project */
                id: string;
                /** @description The version */
                robotsVersionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RobotsVersionWithText"];
                };
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is nothing here, or nothing that the credential reaches */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The rate limit is reached; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getSystem: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["System"];
                };
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The rate limit is reached; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getRetention: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    /** @description Its version, for `If-Match` of a change */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Retention"];
                };
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The rate limit is reached; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    changeRetention: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of what was read, also as a proxy that compresses has changed it (`W/"…"`, `"…-gzip"`): 412 if somebody else has changed it since, with its values now as `current`. Without it, the last change wins. */
                "If-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RetentionChange"];
            };
        };
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    /** @description Its version, for `If-Match` of a change */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Retention"];
                };
            };
            /** @description The body is not JSON, or not what its encoding says */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Somebody else has changed it since; `current` has its values now */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is larger than 5 MiB, as sent or as decoded */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON, or has another encoding than gzip, br or zstd */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body or a parameter does not fit; `errors` says where */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getPipeline: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Pipeline"];
                };
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The rate limit is reached; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listAuditEntries: {
        parameters: {
            query?: {
                /** @description Only of this project */
                project?: string;
                /** @description Not before this time, ISO 8601 */
                from?: string;
                /** @description Before this time, ISO 8601 */
                to?: string;
                /** @description Part of the name of who did it */
                actor?: string;
                /** @description ID of the person or the API key that did it */
                actor_id?: string;
                /** @description What it is about; repeated: one of them */
                subject?: ("access_token" | "agent" | "agent_feed" | "alert" | "alert_channel" | "alert_delivery" | "api_key" | "assistant" | "chart_note" | "dead_letter" | "dismissed_user_agent" | "drain_settings" | "invitation" | "login" | "member" | "passkey" | "password_reset" | "project" | "reidentification" | "report_subscription" | "robots_version" | "rules_version" | "sample_visit" | "saved_filter" | "second_factor" | "session" | "settings" | "setup_code" | "shared_link" | "test_visit" | "user" | "visits")[];
                /** @description ID of what changed */
                subject_id?: string;
                /** @description What became of it; repeated: one of them */
                change?: ("created" | "changed" | "removed" | "revealed" | "done")[];
                /** @description Items of a page, at most; pages of large visits end at 4 MiB */
                limit?: number;
                /** @description From an earlier answer */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditPage"];
                };
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body or a parameter does not fit; `errors` says where */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The rate limit is reached; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The address and the headers are larger than 16 KiB together */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    exportAuditEntries: {
        parameters: {
            query?: {
                /** @description Only of this project */
                project?: string;
                /** @description Not before this time, ISO 8601 */
                from?: string;
                /** @description Before this time, ISO 8601 */
                to?: string;
                /** @description Part of the name of who did it */
                actor?: string;
                /** @description ID of the person or the API key that did it */
                actor_id?: string;
                /** @description What it is about; repeated: one of them */
                subject?: ("access_token" | "agent" | "agent_feed" | "alert" | "alert_channel" | "alert_delivery" | "api_key" | "assistant" | "chart_note" | "dead_letter" | "dismissed_user_agent" | "drain_settings" | "invitation" | "login" | "member" | "passkey" | "password_reset" | "project" | "reidentification" | "report_subscription" | "robots_version" | "rules_version" | "sample_visit" | "saved_filter" | "second_factor" | "session" | "settings" | "setup_code" | "shared_link" | "test_visit" | "user" | "visits")[];
                /** @description ID of what changed */
                subject_id?: string;
                /** @description What became of it; repeated: one of them */
                change?: ("created" | "changed" | "removed" | "revealed" | "done")[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    /** @description attachment, with a name for the file */
                    "Content-Disposition"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body or a parameter does not fit; `errors` says where */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The rate limit is reached; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The address and the headers are larger than 16 KiB together */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listProjectAuditEntries: {
        parameters: {
            query?: {
                /** @description Not before this time, ISO 8601 */
                from?: string;
                /** @description Before this time, ISO 8601 */
                to?: string;
                /** @description Part of the name of who did it */
                actor?: string;
                /** @description ID of the person or the API key that did it */
                actor_id?: string;
                /** @description What it is about; repeated: one of them */
                subject?: ("access_token" | "agent" | "agent_feed" | "alert" | "alert_channel" | "alert_delivery" | "api_key" | "assistant" | "chart_note" | "dead_letter" | "dismissed_user_agent" | "drain_settings" | "invitation" | "login" | "member" | "passkey" | "password_reset" | "project" | "reidentification" | "report_subscription" | "robots_version" | "rules_version" | "sample_visit" | "saved_filter" | "second_factor" | "session" | "settings" | "setup_code" | "shared_link" | "test_visit" | "user" | "visits")[];
                /** @description ID of what changed */
                subject_id?: string;
                /** @description What became of it; repeated: one of them */
                change?: ("created" | "changed" | "removed" | "revealed" | "done")[];
                /** @description Items of a page, at most; pages of large visits end at 4 MiB */
                limit?: number;
                /** @description From an earlier answer */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description The project */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditPage"];
                };
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is nothing here, or nothing that the credential reaches */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body or a parameter does not fit; `errors` says where */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The rate limit is reached; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The address and the headers are larger than 16 KiB together */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    exportProjectAuditEntries: {
        parameters: {
            query?: {
                /** @description Not before this time, ISO 8601 */
                from?: string;
                /** @description Before this time, ISO 8601 */
                to?: string;
                /** @description Part of the name of who did it */
                actor?: string;
                /** @description ID of the person or the API key that did it */
                actor_id?: string;
                /** @description What it is about; repeated: one of them */
                subject?: ("access_token" | "agent" | "agent_feed" | "alert" | "alert_channel" | "alert_delivery" | "api_key" | "assistant" | "chart_note" | "dead_letter" | "dismissed_user_agent" | "drain_settings" | "invitation" | "login" | "member" | "passkey" | "password_reset" | "project" | "reidentification" | "report_subscription" | "robots_version" | "rules_version" | "sample_visit" | "saved_filter" | "second_factor" | "session" | "settings" | "setup_code" | "shared_link" | "test_visit" | "user" | "visits")[];
                /** @description ID of what changed */
                subject_id?: string;
                /** @description What became of it; repeated: one of them */
                change?: ("created" | "changed" | "removed" | "revealed" | "done")[];
            };
            header?: never;
            path: {
                /** @description The project */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    /** @description attachment, with a name for the file */
                    "Content-Disposition"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is nothing here, or nothing that the credential reaches */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body or a parameter does not fit; `errors` says where */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The rate limit is reached; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The address and the headers are larger than 16 KiB together */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listUsers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountList"];
                };
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The rate limit is reached; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    removeUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The account */
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is nothing here, or nothing that the credential reaches */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request conflicts with what exists */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    changeUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The account */
                userId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AccountChange"];
            };
        };
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangedAccount"];
                };
            };
            /** @description The body is not JSON, or not what its encoding says */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is nothing here, or nothing that the credential reaches */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request conflicts with what exists */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is larger than 5 MiB, as sent or as decoded */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON, or has another encoding than gzip, br or zstd */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body or a parameter does not fit; `errors` says where */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createPasswordReset: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewPasswordReset"];
            };
        };
        responses: {
            /** @description The answer */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RevealedPasswordReset"];
                };
            };
            /** @description The body is not JSON, or not what its encoding says */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The credential is missing, unknown or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is nothing here, or nothing that the credential reaches */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request conflicts with what exists */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is larger than 5 MiB, as sent or as decoded */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON, or has another encoding than gzip, br or zstd */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body or a parameter does not fit; `errors` says where */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getPasswordReset: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description From the address of the link */
                token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenPasswordReset"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is nothing here, or nothing that the credential reaches */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The rate limit is reached; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    resetPassword: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description From the address of the link */
                token: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasswordReset"];
            };
        };
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    /** @description The session's cookie */
                    "Set-Cookie"?: string;
                    /** @description Seconds, with 429 */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignInAnswer"];
                };
            };
            /** @description The body is not JSON, or not what its encoding says */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is nothing here, or nothing that the credential reaches */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is larger than 16 KiB */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON, or has a content encoding */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body or a parameter does not fit; `errors` says where */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The rate limit is reached; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not possible right now; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
}
