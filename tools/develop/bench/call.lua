-- What wrk sends, `-- METHOD BODY CONTENT-TYPE` behind the address, and its figures as a line of JSON: times in microseconds.
function init(args)
  wrk.method = args[1]
  if args[2] then
    wrk.body = args[2]
    wrk.headers["Content-Type"] = args[3]
  end
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format('{"count":%d,"us":%d,"p50":%d,"p99":%d,"errors":%d}\n', summary.requests, summary.duration,
    latency:percentile(50), latency:percentile(99),
    errors.connect + errors.read + errors.write + errors.status + errors.timeout))
end
