import type { Access, SnippetPart } from '../../../ui/snippet-part.js';
import { toServer, VERIFICATION_PATH } from './verification-request.ts';

/** Address of the section that forwards requests from the script. */
const LOCAL_ADDRESS = '127.0.0.1:8089';

const SCRIPT = `-- Headers that belong to the connection or to this script.
local DROPPED = {}
for name in ("connection content-length transfer-encoding expect upgrade te keep-alive proxy-connection cookie " ..
    "authorization x-original-uri x-original-method x-forwarded-uri x-forwarded-method x-forwarded-host"):gmatch("%S+") do
  DROPPED[name] = true
end
local FOR_VISITOR = { "content-type", "cache-control", "retry-after", "location", "link", "agent-traffic-decision" }
-- Errors in the visitor's request, such as too many headers.
local REQUEST_ERRORS = { [400] = true, [414] = true, [417] = true, [431] = true }

core.register_action("agent_traffic", { "http-req" }, function(txn)
  local headers = {}
  for name, values in pairs(txn.http:req_get_headers()) do
    if name:find("^agent%-traffic%-") then
      txn.http:req_del_header(name)
    elseif not DROPPED[name] then
      headers[name] = {}
      for _, value in pairs(values) do table.insert(headers[name], value) end
    end
  end
  headers["user-agent"] = headers["user-agent"] or { "" }
  headers["x-original-uri"] = { txn.sf:url() }
  headers["x-original-method"] = { txn.sf:method() }
  headers["x-forwarded-host"] = headers["host"]
  headers["x-forwarded-for"] = headers["x-forwarded-for"] or {}
  table.insert(headers["x-forwarded-for"], txn.sf:src())
  local response = core.httpclient():get{ url = "http://${LOCAL_ADDRESS}${VERIFICATION_PATH}", headers = headers }
  local found = response and response.headers or {}
  -- Allows the request if Agent Traffic is unavailable.
  if not found["agent-traffic-result"] and not (response and REQUEST_ERRORS[response.status]) then return end
  if response.status == 204 then
    for name, values in pairs(found) do
      if name:find("^agent%-traffic%-") then txn.http:req_set_header(name, values[0]) end
    end
    return
  end
  local reply = txn:reply{ status = response.status, body = response.body }
  for _, name in ipairs(FOR_VISITOR) do
    if found[name] then reply:add_header(name, found[name][0]) end
  end
  txn:done(reply)
end)`;

export function haproxyParts({ address, token }: Access): SnippetPart[] {
  const { isHttps, hostname, port } = toServer(address);
  const tls = isHttps ? ` ssl verify required ca-file @system-ca sni str(${hostname})` : '';
  return [
    { title: 'In the file /etc/haproxy/agent-traffic.lua', text: SCRIPT },
    {
      title: 'In haproxy.cfg, before the frontends',
      text: `global
    lua-load /etc/haproxy/agent-traffic.lua

listen agent_traffic
    mode http
    bind ${LOCAL_ADDRESS}
    timeout client 3s
    timeout connect 200ms
    timeout server 2s
    retries 0
    http-reuse always
    http-request set-header Authorization "Bearer ${token}"
    http-request set-header Host ${hostname}
    server instance ${hostname}:${port}${tls}`,
    },
    { title: 'In each frontend', text: 'http-request lua.agent_traffic' },
  ];
}
