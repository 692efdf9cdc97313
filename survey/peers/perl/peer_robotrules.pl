# WWW::RobotRules (Debian: libwww-robotrules-perl): the parser of libwww-perl. The adapter passes octets, as
# libwww-perl does.

use strict;
use warnings;
use FindBin ();
use URI ();
use WWW::RobotRules ();

require "$FindBin::Bin/protocol.pl";

Protocol::serve(
    name => 'WWW-RobotRules',
    version => WWW::RobotRules->VERSION,
    answers => {
        verdict => sub {
            my ($question) = @_;
            my $rules = WWW::RobotRules->new(Protocol::token($question));
            my $robots_url = URI->new_abs('/robots.txt', $question->{url});
            $rules->parse($robots_url, Protocol::octets($question));
            return Protocol::verdict($rules->allowed($question->{url}));
        },
    },
);
