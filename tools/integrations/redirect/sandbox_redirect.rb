# The redirect for programs in Ruby: `sandbox exec --redirect` and `sandbox up -- COMMAND` load it by RUBYOPT.
#
# Redirects connections to the vendors' hosts to the sandbox, whose addresses are in SANDBOX_HOSTS. The program uses TLS as before, but its data
# is sent to the sandbox unencrypted. Works for every client on TCPSocket or Socket.tcp: net/http, Faraday, HTTParty, http.rb.
require "socket"
require "openssl"
require "uri"

module SandboxRedirect
  # Hosts, each with the address and port of its pack; `*.vendor.com` means every host below vendor.com.
  PLACES = ENV.fetch("SANDBOX_HOSTS", "").split(",").to_h do |each|
    name, address = each.split("=", 2)
    [name, address.match(%r{\Ahttp://\[?(.+?)\]?:(\d+)}).captures]
  end

  def self.place_of(host)
    name = host.to_s.downcase.delete_suffix(".")
    PLACES.each { |each, place| return place if each.start_with?("*.") ? name.end_with?(each[1..]) : name == each }
    nil
  end

  # A plain connection with the interface of a TLS connection.
  module Plain
    attr_accessor :sync_close, :hostname, :session, :context
    def connect = self
    def connect_nonblock(**) = self
    def post_connection_check(_host) = true
    def session_reused? = false
    def ssl_version = "TLSv1.3"
    def cipher = ["TLS_AES_256_GCM_SHA384", ssl_version, 256, 256]
    def peer_cert = nil
    def peer_cert_chain = []
    def verify_result = OpenSSL::X509::V_OK
    def alpn_protocol = nil
    def pending = 0
    def io = self
    def sysclose = close
  end

  module Connects
    def initialize(host = nil, *rest, **options)
      place = SandboxRedirect.place_of(host)
      return super unless place

      super(*place, **options)
      @sandbox = true
    end
  end

  module Opens
    def tcp(host, *rest, **options, &block)
      place = SandboxRedirect.place_of(host)
      return super unless place

      socket = super(*place, **options)
      socket.instance_variable_set(:@sandbox, true)
      return socket unless block

      begin
        yield socket
      ensure
        socket.close
      end
    end
  end

  # The proxy of this run is for programs in other languages. Redirected connections need it only if the user has a proxy.
  module Proxies
    def find_proxy(*)
      found = super
      return found unless found && ENV["SANDBOX_PROXY"] == "http://#{found.host}:#{found.port}"

      found if ENV["SANDBOX_HAS_UPSTREAM"] && !SandboxRedirect.place_of(hostname)
    end
  end

  module Wraps
    def new(io, *rest, **options)
      io.instance_variable_get(:@sandbox) ? io.extend(Plain) : super
    end
  end

  URI::Generic.prepend(Proxies)
  TCPSocket.prepend(Connects)
  Socket.singleton_class.prepend(Opens)
  OpenSSL::SSL::SSLSocket.singleton_class.prepend(Wraps)
end
